// SPDX-License-Identifier: Apache-2.0

// The table of patients by keyboard: arrows or j and k move between rows, Home and End go to the
// first and last. Enter opens the patient, as on every link; the row has the focus again on the
// next page.
const opened = 'desk-opened';
const rows = () => [...document.querySelectorAll('.desk-link')];
document.documentElement.dataset.desk = '';
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = rows();
  const at = all.indexOf(document.activeElement);
  // Single keys work in a row only: elsewhere they belong to the browser, or to voice input.
  if (at < 0) return;
  if (event.key === 'Enter') {
    try { sessionStorage.setItem(opened, location.pathname); } catch { /* The focus starts at the top. */ }
    return;
  }
  const next = {
    ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: all.length - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  all[next]?.focus();
});
// A live update keeps the position in the list.
let place;
document.addEventListener('scroll', ({ target }) => {
  if (target.classList?.contains('desk-list')) place = target.scrollTop;
}, { capture: true, passive: true });
new MutationObserver(() => {
  const renewed = document.querySelector('.desk-list');
  if (renewed && place !== undefined) renewed.scrollTop = place;
}).observe(document.querySelector('main'), { childList: true });
const current = document.querySelector('.desk-link[aria-current]');
const list = current?.closest('.desk-list');
if (list) {
  // Scrolls only the list; the page itself stays.
  const row = current.getBoundingClientRect();
  list.scrollTop += row.top - list.getBoundingClientRect().top - list.clientHeight / 2;
  let wasKey = false;
  try {
    wasKey = sessionStorage.getItem(opened) !== null;
    sessionStorage.removeItem(opened);
  } catch { /* Nothing was stored. */ }
  if (wasKey && !location.hash) current.focus({ preventScroll: true });
}
