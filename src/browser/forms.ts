// Prevents a form from being sent twice and marks its buttons as busy. Going back to the page resets them, and sends nothing.

/**
 * The longest wait for the page that answers. If none has come, the reader may have stopped it: the form can be sent again, as
 * it always can without this script.
 */
const patience_ms = 30_000

function setBusy(form: HTMLFormElement, busy: boolean): void {
  form.toggleAttribute('data-sent', busy)
  for (const button of form.querySelectorAll('button')) {
    if (busy) button.setAttribute('aria-busy', 'true')
    else button.removeAttribute('aria-busy')
  }
}

addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
  if (form.hasAttribute('data-sent')) {
    event.preventDefault()
    return
  }
  setBusy(form, true)
  setTimeout(() => setBusy(form, false), patience_ms)
})

addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) setBusy(form, false)
})

// A form that was refused is answered with a page. The browser would send it again to show that page after going back or a
// reload, or show an error of its own instead: let it ask for the page.
history.replaceState(history.state, '', location.href)
