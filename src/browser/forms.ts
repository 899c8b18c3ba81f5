// Prevents a form from being sent twice or into nowhere, and marks its buttons as busy. Going back to the page resets them, and
// sends nothing.

/**
 * The longest wait for the page that answers. If none has come, the reader may have stopped it: the form can be sent again, as
 * it always can without this script.
 */
const patience_ms = 30_000

/** All buttons wait, and the one that was pressed shows that it works. */
function setBusy(form: HTMLFormElement, busy: boolean, pressed?: HTMLElement | null): void {
  form.toggleAttribute('data-sent', busy)
  for (const button of form.querySelectorAll('button')) {
    button.ariaBusy = busy ? 'true' : null
    button.toggleAttribute('data-works', busy && button === pressed)
  }
}

const offline = document.querySelector<HTMLTemplateElement>('template[data-offline]')
const forget = (): void => document.querySelector('.offline')?.remove()
addEventListener('online', forget)

/** A browser may call itself offline and still reach a server nearby. */
let reached = false

/** Sends a form if the server answers after all. Else an error of the browser would replace the page and what was typed. */
async function sendIfReached(form: HTMLFormElement, pressed: HTMLElement | null): Promise<void> {
  reached = await fetch(import.meta.url, { cache: 'no-store' }).then(
    () => true,
    () => false,
  )
  setBusy(form, false)
  // Screen readers say what is added, also when it is added again.
  forget()
  if (reached) form.requestSubmit(pressed)
  else offline?.after(offline.content.cloneNode(true))
}

addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
  const isSent = form.hasAttribute('data-sent')
  const goes = navigator.onLine || reached
  if (isSent || !goes) event.preventDefault()
  if (isSent) return
  setBusy(form, true, event.submitter ?? form.querySelector('button'))
  if (goes) setTimeout(() => setBusy(form, false), patience_ms)
  else void sendIfReached(form, event.submitter)
})

addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) setBusy(form, false)
})

// A form that was refused is answered with a page. The browser would send it again to show that page after going back or a
// reload, or show an error of its own instead: let it ask for the page.
history.replaceState(history.state, '', location.href)
