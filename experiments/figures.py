"""Small pictures for experiments: lines, boxes and heat maps as SVG, nothing but text made here."""
import html

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"]  # told apart by all eyes
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 56, 40, 150, 48


def text(x, y, words, anchor="start", size=12, turn=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{turn}>{html.escape(words)}</text>'


def document(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">'
            f'<rect width="{width}" height="{height}" fill="white"/>' + "".join(parts) + "</svg>\n")


def frame(title, low, high, y_title):
    """Axes, and where a value stands on the page."""
    def place(value):
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [text(LEFT, 22, title, size=14), text(14, HEIGHT / 2, y_title, "middle", turn=f' transform="rotate(-90 14 {HEIGHT / 2})"')]
    for i in range(6):
        value = low + (high - low) * i / 5
        y = place(value)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(LEFT - 6, y + 4, f"{value:.2f}", "end", 11))
    return parts, place


def legend(names):
    parts = []
    for i, name in enumerate(names):
        y = TOP + 18 * i
        parts.append(f'<rect x="{WIDTH - RIGHT + 16}" y="{y}" width="12" height="12" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(text(WIDTH - RIGHT + 34, y + 11, name))
    return parts


def bounds(values):
    low, high = min(values), max(values)
    room = (high - low) * 0.05 or 0.5
    return low - room, high + room


def lines(title, x_title, y_title, series):
    """series: {name: [(x, mean, error)]}"""
    points = [point for of_name in series.values() for point in of_name]
    parts, place = frame(title, *bounds([m + s * e for _, m, e in points for s in (-1, 1)]), y_title)
    xs = sorted({x for x, _, _ in points})
    span = (xs[-1] - xs[0]) or 1
    across = {x: LEFT + 20 + (x - xs[0]) / span * (WIDTH - LEFT - RIGHT - 40) for x in xs}
    parts += [text(across[x], HEIGHT - BOTTOM + 18, f"{x:g}", "middle", 11) for x in xs]
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title, "middle"))
    for i, of_name in enumerate(series.values()):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{across[x]:.1f},{place(m):.1f}" for x, m, _ in of_name)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, m, e in of_name:
            parts.append(f'<line x1="{across[x]:.1f}" x2="{across[x]:.1f}" y1="{place(m - e):.1f}" '
                         f'y2="{place(m + e):.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{across[x]:.1f}" cy="{place(m):.1f}" r="3" fill="{colour}"/>')
    return document(WIDTH, HEIGHT, parts + legend(series))


def boxes(title, x_title, y_title, series):
    """series: {name: [(x, (least, lower quartile, median, upper quartile, largest))]}"""
    every = [value for of_name in series.values() for _, box in of_name for value in box]
    parts, place = frame(title, *bounds(every), y_title)
    xs = sorted({x for of_name in series.values() for x, _ in of_name})
    room = (WIDTH - LEFT - RIGHT) / max(1, len(xs))
    width = min(24.0, room / (len(series) + 1))
    for i, x in enumerate(xs):
        parts.append(text(LEFT + room * (i + 0.5), HEIGHT - BOTTOM + 18, f"{x:g}", "middle", 11))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title, "middle"))
    for s, of_name in enumerate(series.values()):
        colour = COLOURS[s % len(COLOURS)]
        for x, (least, lower, median, upper, largest) in of_name:
            middle = LEFT + room * (xs.index(x) + 0.5) + width * (s - (len(series) - 1) / 2)
            left = middle - width * 0.4
            parts.append(f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="{place(largest):.1f}" '
                         f'y2="{place(least):.1f}" stroke="{colour}"/>')
            parts.append(f'<rect x="{left:.1f}" y="{place(upper):.1f}" width="{width * 0.8:.1f}" '
                         f'height="{max(1.0, place(lower) - place(upper)):.1f}" fill="white" stroke="{colour}"/>')
            parts.append(f'<line x1="{left:.1f}" x2="{left + width * 0.8:.1f}" y1="{place(median):.1f}" '
                         f'y2="{place(median):.1f}" stroke="{colour}" stroke-width="3"/>')
    return document(WIDTH, HEIGHT, parts + legend(series))


def heat_map(title, names, matrix):
    """Values from -1 (blue) over 0 (white) to 1 (orange)."""
    size, left, top = 11, 130, 40
    parts = [text(left, 22, title, size=14)]
    for i, name in enumerate(names):
        parts.append(text(left - 6, top + size * i + 9, name, "end", 9))
        for j, value in enumerate(matrix[i]):
            pale = 1 - min(1.0, abs(value))
            strong = (213, 94, 0) if value > 0 else (0, 114, 178)
            red, green, blue = (round(255 * pale + part * (1 - pale)) for part in strong)
            parts.append(f'<rect x="{left + size * j}" y="{top + size * i}" width="{size}" height="{size}" '
                         f'fill="rgb({red},{green},{blue})"><title>{html.escape(name)}, {html.escape(names[j])}: '
                         f"{value:.2f}</title></rect>")
    side = size * len(names)
    return document(left + side + 20, top + side + 20, parts)
