// Disables the resend button until a new code can be requested, and counts down.

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-resend-at]')) {
  const button = form.querySelector('button')
  const hint = form.querySelector<HTMLElement>('[data-resend-text]')
  const text = hint?.dataset['resendText']
  if (button === null || hint === null || text === undefined) continue
  // The browser's clock may be wrong, so use the time left when the server rendered the page.
  const left_ms = Number(form.dataset['resendAt']) - Number(form.dataset['now'])
  const until = performance.now() + left_ms
  button.disabled = true
  // Screen readers do not announce every tick of a timer.
  hint.setAttribute('role', 'timer')

  const tick = (): void => {
    const left_s = Math.ceil((until - performance.now()) / 1000)
    if (left_s <= 0) {
      button.disabled = false
      hint.remove()
      return
    }
    hint.textContent = text.replace(
      '{time}',
      `\u2066${Math.floor(left_s / 60)}:${String(left_s % 60).padStart(2, '0')}\u2069`,
    )
    setTimeout(tick, 250)
  }
  tick()
}
