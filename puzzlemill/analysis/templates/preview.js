
const names = ["family", "variant", "band", "status"];
const articles = [...document.querySelectorAll("article")];
function apply() {
  let shown = 0;
  for (const a of articles) {
    const fits = names.every(n => { const v = document.getElementById(n).value; return !v || a.dataset[n] === v; });
    a.hidden = !fits;
    shown += fits;
  }
  document.getElementById("count").textContent = shown + " of " + articles.length + " rows shown";
}
for (const n of names) document.getElementById(n).addEventListener("change", apply);
apply();
