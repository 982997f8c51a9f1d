"""Trainings of every kind that several machines do, short ones: for the engines that start machines from Python."""
import glassrank as gr

MANY_METHODS = {
    "full precision": lambda: gr.Lambdamart(num_trees=8, num_leaves=6, precision="full", threads=1),
    "high-low, p-sour": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, sample=gr.HighLow(0.2, 0.4), clean=gr.PSour("neg"), threads=1),
    "selective, sour": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, sample=gr.Selective(0.3), clean=gr.Sour("neg"), threads=1),
    "goss, xendcg": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, sample=gr.Goss(), objective="rank_xendcg", threads=2),
    "queries, last-sour": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, sample=gr.Queries(), clean=gr.LastSour(), threads=1),
    "peer, bags": lambda: gr.Lambdamart(num_trees=6, num_leaves=8, objective="peer", bags=2, threads=1),
    "mart, rows": lambda: gr.Mart(num_trees=8, num_leaves=8, sample=gr.Rows(), threads=1),
    "ilmart": lambda: gr.Ilmart(num_trees=8, num_leaves=4, num_interactions=3, threads=1),
    "ebm": lambda: gr.Ebm(bags=2, max_rounds=10, num_interactions=2, threads=1),
    "ebm, lambdarank": lambda: gr.Ebm(bags=2, max_rounds=6, objective="lambdarank", threads=2),
    "random forest": lambda: gr.RandomForest(num_trees=6, threads=1),
    "tree": lambda: gr.Tree(threads=1),
}
