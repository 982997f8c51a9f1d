"""The heat map of experiments as SVG; every other picture is drawn by `glassrank audit --plot`."""
import html


def text(x, y, words, anchor="start", size=12, turn=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{turn}>{html.escape(words)}</text>'


def document(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">'
            f'<rect width="{width}" height="{height}" fill="white"/>' + "".join(parts) + "</svg>\n")


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
