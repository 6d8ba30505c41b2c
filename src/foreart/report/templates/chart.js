(() => {
  const open = () => document.querySelector(".panel:target");
  let last = null;
  const follow = () => {
    document.querySelectorAll(".heat a.open").forEach((cell) => cell.classList.remove("open"));
    const panel = open();
    const cell = panel && document.querySelector(`.heat a[href="#${panel.id}"]`);
    if (cell) {
      cell.classList.add("open");
      cell.scrollIntoView({ block: "nearest", inline: "nearest" });
      panel.scrollTop = 0;
      panel.focus({ preventScroll: true });
      last = cell;
    } else if (last && location.hash === "#chart") {
      last.focus();
    }
  };
  const step = (cell, down, right) => {
    const row = cell.closest("tr");
    const rows = [...document.querySelectorAll(".heat tbody tr")].filter((item) => item.querySelector("td > a"));
    const column = [...row.querySelectorAll("td")].indexOf(cell.closest("td")) + right;
    const next = rows[rows.indexOf(row) + down];
    return next && next.querySelectorAll("td")[column] && next.querySelectorAll("td")[column].querySelector("a");
  };
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const turns = { ArrowLeft: "left", ArrowRight: "right", j: "down", k: "up", J: "down", K: "up", Escape: "close" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const panel = open();
    const here = document.activeElement;
    const link = panel && turns[event.key] && panel.querySelector(`a[data-go="${turns[event.key]}"]`);
    const cell = !panel && moves[event.key] && here && here.closest(".heat td") && step(here, ...moves[event.key]);
    if (link) { event.preventDefault(); link.click(); }
    else if (cell) { event.preventDefault(); cell.focus(); }
  });
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
})();
