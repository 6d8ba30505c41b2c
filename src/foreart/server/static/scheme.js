// Light or dark as chosen before; a classic script, so that no page is drawn in the wrong scheme first.
{
  const chosen = localStorage.getItem("scheme");
  if (chosen) document.documentElement.dataset.scheme = chosen;
}
