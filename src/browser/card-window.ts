// The window of the card (src/pages/card/window.ts): offers a session to the frame that opened it, and closes when it was kept.

const place = document.querySelector<HTMLElement>('[data-offer]')
const form = place?.querySelector('form')
const frame: Window | null = opener

/** Only a page of our own origin receives it: the browser compares the origin when it delivers the message. */
async function offer(form: HTMLFormElement, frame: Window): Promise<void> {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  const answer = await fetch(form.action, { method: 'POST', body })
  if (!answer.ok) return
  const { offered } = await answer.json()
  frame.postMessage({ offered }, location.origin)
}

addEventListener('message', ({ source, origin, data }) => {
  if (source === frame && origin === location.origin && data?.nuqta === 'kept') close()
})

if (form && frame !== null) offer(form, frame).catch(() => undefined)

const closing = document.querySelector<HTMLElement>('[data-close]')
if (closing !== null && frame !== null) {
  closing.hidden = false
  closing.addEventListener('click', () => close())
}
