"""Dense vectors of words and texts: PPMI, word2vec, doc2vec, sentence encoders."""

__all__: list[str] = []
