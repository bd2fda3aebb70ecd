// Reads the page again every second while it is visible, and replaces the table when it has changed.
const INTERVAL_MS = 1000;

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' });
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#entries');
    const shown = document.querySelector('#entries');
    if (fresh && fresh.innerHTML !== shown.innerHTML) {
      const position = shown.querySelector('.scroll')?.scrollLeft ?? 0;
      shown.replaceChildren(...fresh.childNodes);
      shown.querySelector('.scroll')?.scrollTo({ left: position });
    }
  } catch {
    // The sandbox is stopped. The next read succeeds when it runs again.
  }
}

setInterval(refresh, INTERVAL_MS);
