"""Generates the pages of docs from the code and the results: `python scripts/make_docs.py`.

docs/commands.md from the commands themselves, docs/api.md from what the package exports, docs/http.md from the schema
of the server, the keys in docs/desk.md from the pages, the results in README.md and
benchmarks/README.md from benchmarks/results/.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from foreart.cli.app import COMMANDS, app
from foreart.features.vectors.word2vec import enough_epochs

Row = tuple[str, ...]
ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "commands.md"
README = ROOT / "README.md"
BENCHMARKS = ROOT / "benchmarks" / "README.md"
RESULTS = ROOT / "benchmarks" / "results"
_BENCHMARKS = """# Benchmarks

Made by `python scripts/make_docs.py`; do not edit. Each module answers one question and writes `results/NAME.json` with
versions and fingerprints. Speed is a ratio to a peer measured in the same run. They need the real files in
`../shared/data`.

"""
# Metrics that are also given cold.
_COLD = ("map", "ndcg@10", "recall@100", "pres@100")
_MARKS = ("<!-- results -->\n", "<!-- /results -->")
_WIDTH = 100
QUALITY = {"map": "MAP", "ndcg@10": "nDCG@10", "recall@100": "recall@100", "pres@100": "PRES@100"}
_TOP = """# Commands

Made from the commands by `python scripts/make_docs.py`; do not edit. Exit codes: 0 done, 1 could not be done, 2 wrong
usage, 130 stopped by Ctrl-C. Results go to standard output, progress and notes to standard error.
"""
READING = (
    "reviews of 179 targets, order",
    "recall after 20",
    "50",
    "100",
    "200",
    "to 80 %: median",
    "saved",
    "better / equal / worse",
    "to 95 %: saved",
    "better / equal / worse",
)
STOPPING = ("stops", "when", "stopped", "documents read", "right")


def commands() -> str:
    """The text of docs/commands.md: the help of each command, a hundred characters wide."""
    with _context(app, "foreart", None) as top:
        parts = [_TOP, _block(app.get_help(top))]
        for name in COMMANDS:
            command = app.get_command(top, name)
            if command is None:
                raise SystemExit(f"the table has a command {name} that is not there")
            with _context(command, name, top) as inner:
                parts += [f"## foreart {name}\n", _block(command.get_help(inner))]
                parts += _subcommands(command, name, inner)
    return "\n".join(parts)


def _subcommands(command: click.Command, name: str, context: click.Context) -> Iterator[str]:
    """The help of each subcommand of a group."""
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            sub = command.get_command(context, inner)
            assert sub is not None
            with _context(sub, inner, context) as deeper:
                yield f"### foreart {name} {inner}\n"
                yield _block(sub.get_help(deeper))


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    settings = command.context_settings
    return click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=settings.get("help_option_names"),
    )


def _block(text: str) -> str:
    lines = (line.rstrip() for line in text.rstrip().splitlines())
    return "```\n" + "\n".join(lines) + "\n```\n"


def readme() -> str:
    """The text of README.md with the latest results."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    return before + _MARKS[0] + results() + _MARKS[1] + after


def benchmarks() -> str:
    """The text of benchmarks/README.md: the question of each module, and the latest results."""
    questions = []
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()[0]
        if first.endswith("?") or "?" in first:
            questions.append(f"- `python benchmarks/{path.name}`: {first}")
    return (
        _BENCHMARKS
        + "\n".join(questions)
        + "\n\n"
        + results()
        + "\n"
        + _representations()
        + "\n"
        + _ablation()
        + "\n"
        + _reviews()
    )


def results() -> str:
    """The tables of results: speed and robustness, then quality."""
    rows = (*_loading(), *_searching(), *_growing(), *_measures(), *_features(), *_desk())
    return _table(("what", "measured"), rows) + "\n" + _quality()


def _loading() -> Iterator[Row]:
    """Speed and robustness of loading."""
    ingest, fuzz = _result("ingest"), _result("fuzz")
    speed, corpus, weekly = ingest["megabytes_per_second"], ingest["real_corpus"], ingest["weekly_file"]
    formats = fuzz["formats"].values()
    mutants = sum(item["mutants"] for item in formats)
    failures = sum(len(item["failures"]) for item in formats)
    yield (
        f"Reading USPTO XML to JSON lines, one core ({weekly['megabytes']:g} MB){_older(ingest)}",
        f"{speed['read']:g} MB/s: {ingest['read_share_of_iterparse']:.0%} of a bare lxml iterparse in the same run",
    )
    yield (
        f"Loading it into the corpus{_older(ingest)}",
        f"{speed['add_2']:g} MB/s on two cores, {ingest['add_two_workers_over_one']:g} × one; "
        f"stored in {ingest['corpus_share_of_xml']:.0%} of its size",
    )
    yield (
        f"Loading {corpus['documents']:,} full-text patents{_older(ingest)}",
        f"{corpus['seconds']:g} s, at most {corpus['peak_megabytes_of_all_processes']} MB of memory in all",
    )
    yield (
        f"{mutants:,} damaged copies of files of {len(formats)} formats{_older(fuzz)}",
        f"{failures} crashes or hangs; the slowest took {max(item['slowest_seconds'] for item in formats):g} s",
    )
    yield "Loads killed with -9 at 50 random moments (in the tests)", "all ended with exactly the same corpus"


def _searching() -> Iterator[Row]:
    """Speed of searches."""
    found = _result("search")
    times = {(row["n"], row["name"], row["mode"]): row["median_ms"] for row in found["results"]}
    peers = {size["n"]: size["times_faster"] for size in found["sizes"]}[50_000]
    million = [times[1_000_000, "foreart", mode] for mode in ("exact", "exact, 2 threads", "fast, 2 threads")]
    yield (
        f"A full application against a million synthetic documents, exact{_older(found, 'search 1000000')}",
        f"{million[0]:.0f} ms on one core, {million[1]:.0f} on two; in two stages {million[2]:.0f}",
    )
    yield (
        f"The same against 50,000, one core{_older(found, 'search 50000')}",
        f"{times[50_000, 'foreart', 'exact']:.1f} ms; SciPy {peers['scipy q @ Xᵀ']:.1f} × as long, qdrant-edge "
        f"{peers['qdrant-edge-py']:.1f} ×, Lucene {peers['Lucene FeatureField, all terms']:.0f} ×, "
        f"scikit-learn {peers['scikit-learn linear_kernel']:.0f} ×",
    )
    built, recall = found["build"], found["recall"]
    yield (
        f"Building the postings of {recall['n']:,} full texts from the corpus, two cores{_older(found, 'build')}",
        f"{built['foreart']['seconds']:.1f} s, {built['times_faster']:.1f} × faster than scikit-learn counts words",
    )
    yield (
        f"Recall of two stages among the best hundred, on real text{_older(found, 'recall')}",
        f"{recall['log-tfidf']['recall@100']:.4f} (log-tf), {recall['tfidf']['recall@100']:.4f} (raw tf)",
    )


def _desk() -> Iterator[Row]:
    """Cost of the server with many users, where it was measured in full."""
    if not (RESULTS / "desk.json").exists() or (found := _result("desk"))["short"]:
        return
    stages = found["stages"]
    if closed := stages.get("closed"):
        yield (
            f"{closed['users']} users search {found['documents']:,} documents without pause, {found['cores']} cores",
            f"p95 {closed['closed_loop']['p95_ms'] / 1000:.1f} s, {closed['p95_over_share']:g} × the share of a search "
            f"alone ({closed['one_thread']['mean_ms']:.0f} ms on one core); "
            f"the longest {closed['longest_over_mean']:g} × the mean",
        )
    if opened := stages.get("open"):
        yield (
            "The same, each a search every 10 s",
            f"p95 {opened['open_loop']['p95_ms']:.0f} ms, {opened['p95_over_alone']:g} × one user alone",
        )
    if memory := stages.get("memory"):
        yield (
            f"Memory of the server over {memory['searches']:,} searches",
            f"{memory['megabytes'][1]:.0f} MB after the first tenth, {memory['megabytes'][-1]:.0f} MB at the end",
        )
    if kills := stages.get("kills"):
        acknowledged = sum(kills["acknowledged"].values())
        yield (
            f"Servers killed with -9 while four users write, {kills['kills']} times",
            f"{kills['lost']} of {acknowledged:,} lost",
        )
    if first := stages.get("first_hits"):
        longest = max(first["longest_seconds"].values())
        yield ("From the drop of a draft to its hits, sample corpus, warm server", f"at most {longest:.2f} s")


def _growing() -> Iterator[Row]:
    """Cost of every step by corpus size."""
    whole = _result("whole")
    for size in whole["sizes"]:
        steps = {step: size[step] for step in ("add", "build", "learn")}
        again = size["search again"]
        memory = max(each["megabytes"] for each in (*steps.values(), again)) / 1000
        yield (
            f"Every step for {size['documents']:,} full texts, two cores{_older(whole)}",
            ", ".join(f"{step} {each['seconds']:.0f} s" for step, each in steps.items())
            + f", a search from a cold process {again['seconds']:.1f} s; at most {memory:.1f} GB of memory",
        )


def _measures() -> Iterator[Row]:
    """Speed of the measures."""
    measures = _result("measures")
    table, slow, peers = measures["table7"], measures["dictionaries"], measures["peers_microseconds_a_pair"]
    older = _older(measures)
    least = {key: min(peer[key] for peer in peers.values()) for key in ("times_faster", "times_faster_one_thread")}
    yield (
        f"The paper's table of 20 measures × 8 weightings over {table['pairs']:,} pairs{older}",
        f"{table['seconds']:.0f} s from packed files to {table['cells']} values of AUC",
    )
    yield (
        f"All {slow['measures']} measures of a pair{older}",
        f"{slow['microseconds_a_pair']['ours']:g} µs, {slow['times_faster']:,} × faster than one by one over Python "
        f"dictionaries ({slow['times_faster_one_thread']:,} × on one core)",
    )
    yield (
        f"Each of the {len(peers)} measures that scikit-learn or SciPy has{older}",
        f"at least {least['times_faster']:g} × faster than the faster of them "
        f"({least['times_faster_one_thread']:g} × on one core)",
    )


def _features() -> Iterator[Row]:
    """Cost of fitting features."""
    features = _result("features")
    found, compared = features["measured"], features["compared"]
    lsa, peer, ppmi, skipgram = (found[name] for name in ("lsa_250", "sklearn_250", "ppmi_200", "word2vec_200"))
    documents = features["corpus"]["documents"]
    yield (
        f"LSA, {lsa['dimensions']} dimensions, of {documents:,} full texts{_older(features)}",
        f"{_seconds(lsa):.0f} s and {lsa['peak_megabytes']:,} MB, of it learning {lsa['fit']['seconds']:.0f} s; "
        f"scikit-learn's learning takes {compared['sklearn_over_lsa']['seconds']:.1f} × as long, "
        f"and {peer['peak_megabytes']:,} MB",
    )
    words, scaled = ppmi["words_of_texts"] / 1e6, compared["word2vec_fit_scaled_to_all_words"]["seconds"]
    # gensim learns from a share of the texts, so its memory is not that of all of them.
    yield (
        f"PPMI word vectors, {ppmi['dimensions']} dimensions, of the same {words:.0f} million words{_older(features)}",
        f"{_seconds(ppmi):.0f} s and {ppmi['peak_megabytes']:,} MB, of it learning {ppmi['fit']['seconds']:.0f} s; "
        f"gensim's skip-gram {scaled:,} s for {enough_epochs(skipgram['words_of_texts'])} epochs, "
        f"by the {skipgram['fit']['seconds']:.0f} s that {skipgram['texts']} of the texts took",
    )


def _older(found: dict[str, Any], part: str = "") -> str:
    """The version that a figure was measured with, if it is not this one."""
    measured = found.get("measured_with", {}).get(part, found["versions"]["foreart"])
    return "" if measured == version("foreart") else f" ({measured})"


def _seconds(measured: dict[str, Any]) -> float:
    """Seconds from the corpus to fitted features, and to rows if measured."""
    return sum(float(measured[part]["seconds"]) for part in ("words", "fit", "encode") if part in measured)


def _quality() -> str:
    """Quality of the rankings of searches, warm and cold."""
    found = _result("warm_and_cold")
    systems, learned = found["systems"], found["learn"]
    first = next(iter(systems.values()))
    rows = [
        (*_figures(name, item), *(f"{item['cold'][metric]:.3f}" if item["cold"] else "" for metric in _COLD))
        for name, item in systems.items()
    ]
    heading = (
        f"Citations of {first['queries']} patents, searched among the earlier ones of {found['documents']:,}; means "
        "over targets. The learned ranking judges each by weights of a fold without it and its siblings; the default "
        "weights were learned without the targets, though not without their siblings. *Cold* figures hide "
        "siblings, documents with nearly the same citations, as for a draft on a new subject "
        f"({first['cold']['queries']} targets with enough relevant documents left):"
    )
    titles = (*QUALITY.values(), *(f"cold {QUALITY[metric]}" for metric in _COLD))
    return (
        heading
        + "\n\n"
        + _table(("ranked by", *titles), rows)
        + f"\n`foreart learn` says of itself, on its {learned['metrics']['judged']} training queries: warm MAP "
        f"{learned['metrics']['map']:.3f} and recall@100 {learned['metrics']['recall@100']:.3f}, cold "
        f"{learned['cold']['map']:.3f} and {learned['cold']['recall@100']:.3f} (plain means "
        f"{learned['cold']['plain']['map']:.3f} and {learned['cold']['plain']['recall@100']:.3f}).\n"
    )


def _representations() -> str:
    """Quality of each representation alone, on the same targets."""
    found = _result("quality")["representations"]
    rows = [_figures(name, item) for name, item in found.items()]
    return "Indexes that rank alone, warm:\n\n" + _table(("ranked by", *QUALITY.values()), rows) + "\n"


def _figures(name: str, item: dict[str, Any]) -> Row:
    return (name, *(f"{item['metrics'][metric]:.3f}" for metric in QUALITY))


def _ablation() -> str:
    """Contribution of each channel, and the best query text of a draft."""
    variants = _result("ranking")["variants"]
    rows = [(*_figures(name, item), _chance(item.get("p"))) for name, item in variants.items()]
    heading = (
        f"Channels and variants of the ranking of foreart {_result('ranking')['versions']['foreart']}, warm, each half "
        "of the targets judged by weights learned on the other half; p is that of a paired test of MAP against all "
        "channels, learned:"
    )
    return heading + "\n\n" + _table(("ranked by", *QUALITY.values(), "p"), rows)


def _reviews() -> str:
    """Documents to read in a review, and the rules that end it."""
    found = _result("review")
    heading = (
        "Simulated reviews ([docs/review.md](../docs/review.md)), documents saved against the plain list with 95 %:"
    )
    reading = _table(READING, _reading_rows(found))
    stopping = _table(STOPPING, _stopping_rows(found))
    return f"{heading}\n\n{reading}\n{_coverage_sentence(found)} Rules within {found['depth']} documents:\n\n{stopping}"


def _reading_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Documents to read in each order, warm, cold and without citations."""
    ways = {kind: found[kind]["reading"] for kind in ("warm", "cold", "without citations")}
    ways["warm, feedback"] = found["slider"]
    for kind, items in ways.items():
        for name, item in items.items():
            most, nearly = item["to_80%"], item["to_95%"]
            recalls = (f"{item['recall'][read]:.3f}" for read in ("20", "50", "100", "200"))
            yield f"{kind}: {name}", *recalls, f"{most['median']:.0f}", *_saved(most), *_saved(nearly)


def _stopping_rows(found: dict[str, Any]) -> Iterator[Row]:
    """The rules that end reading."""
    for kind in ("warm", "cold"):
        said = found[kind]["stopping"]
        rules = {f"the rule at {target[:-1]} %": item for target, item in said["rule"].items()}
        rules |= {f"{number} irrelevant in a row": item for number, item in said["irrelevant_in_a_row"].items()}
        rules |= {f"hypergeometric at {target[:-1]} %": item for target, item in said["hypergeometric"].items()}
        for name, item in rules.items():
            read = "" if item["median_read"] is None else f"{item['median_read']:.0f}"
            right = "" if item["right"] is None else f"{100 * item['right']:.0f} %"
            yield kind, name, f"{item['fired']} of {item['of']}", read, right


def _coverage_sentence(found: dict[str, Any]) -> str:
    """How often the interval of 90 % held the truth."""
    parts = []
    for kind in ("warm", "cold"):
        said = found[kind]["stopping"]["coverage_of_90_percent"]
        after = ", ".join(f"{100 * said[read]['held']:.0f} % after {read}" for read in ("20", "50", "100", "200"))
        parts.append(f"{kind} {100 * said['all looks']['held']:.0f} % of all looks ({after})")
    return "The interval of 90 % held the true number of unread documents: " + "; ".join(parts) + "."


def _saved(item: dict[str, Any]) -> Row:
    if "saved" not in item:
        return "", ""
    low, high = item["interval_95"]
    return f"{item['saved']:.1f} ({low:.1f} to {high:.1f})", f"{item['better']} / {item['equal']} / {item['worse']}"


def _chance(found: dict[str, float] | None) -> str:
    return "" if found is None else f"{found['map']:.4f}"


def _table(head: Row, rows: Iterable[Row]) -> str:
    lines = [f"| {' | '.join(cells)} |\n" for cells in (head, *rows)]
    return "".join([lines[0], "|---" * len(head) + "|\n", *lines[1:]])


def _result(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    from api_page import TARGET as API
    from api_page import api
    from desk_page import TARGET as DESK
    from desk_page import desk_page
    from http_page import TARGET as HTTP
    from http_page import http_page

    TARGET.write_text(commands(), encoding="utf-8")
    API.write_text(api(), encoding="utf-8")
    HTTP.write_text(http_page(), encoding="utf-8")
    DESK.write_text(desk_page(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
    BENCHMARKS.write_text(benchmarks(), encoding="utf-8")
