// The framed card (src/pages/card/frame.ts). It tells the shop that it is there, and nothing else: its size and its messages
// are the same whatever it shows.

const shop = document.body.dataset['shop']

/** What only this frame knows. The window offers a session for its hash. */
const verifier = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
let opened: Window | null = null

async function challenge(): Promise<string | undefined> {
  // Browsers leave it out in frames of a page over plain HTTP. The window then shows the balance and offers nothing.
  if (crypto.subtle === undefined) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Lets the link open a window that can offer this frame a session. */
async function prepare(): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>('a[data-window]')
  const ask = await challenge()
  if (link === null || ask === undefined) return
  const url = new URL(link.href)
  url.searchParams.set('ask', ask)
  link.href = url.href
}

/** Asks for the page again and shows it here. Gives whether it shows a balance. */
async function renew(): Promise<boolean> {
  const answer = await fetch(location.href)
  // Takes only the content: the style in the head has another nonce, and the policy refuses it.
  const [text] = /<main[\s\S]*<\/main>/.exec(await answer.text()) ?? ['']
  const main = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
  if (!answer.ok || main === null) return false
  document.querySelector('main')?.replaceWith(main)
  await prepare()
  return main.hasAttribute('data-balance')
}

function send(fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(location.href, { method: 'POST', body: new URLSearchParams(fields) })
}

/** Takes the session that the window offers. If the browser withholds the cookie, the window keeps showing the balance. */
async function take(offered: string): Promise<void> {
  const answer = await send({ do: 'take', offered, verifier })
  const kept = answer.ok && (await renew())
  if (!kept) document.querySelector('[data-held]')?.removeAttribute('hidden')
  opened?.postMessage({ nuqta: kept ? 'kept' : 'held' }, location.origin)
}

addEventListener('message', ({ source, origin, data }) => {
  if (source === null || source !== opened || origin !== location.origin) return
  if (typeof data?.offered === 'string') take(data.offered).catch(() => undefined)
})

addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null
  const link = target?.closest<HTMLAnchorElement>('a[data-window]')
  if (link) {
    event.preventDefault()
    // Null if the shop's page separates windows from their openers (COOP).
    opened = open(link.href, '_blank', 'popup,width=460,height=760')
  }
  if (target?.closest('[data-hide]'))
    send({ do: 'hide' })
      .then(renew)
      .catch(() => undefined)
})

prepare()
  .catch(() => undefined)
  .then(() => {
    if (shop !== undefined && parent !== window) parent.postMessage({ nuqta: 'card' }, shop)
  })
  .catch(() => undefined)
