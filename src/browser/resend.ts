// Until a new code can be asked for, its button waits and the time that is left is counted down.

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-resend-at]')) {
  const button = form.querySelector('button')
  const hint = form.querySelector<HTMLElement>('[data-resend-text]')
  const text = hint?.dataset['resendText']
  if (button === null || hint === null || text === undefined) continue
  // The browser's clock may be wrong: what counts is how long it still takes, since the page was made.
  const left_ms = Number(form.dataset['resendAt']) - Number(form.dataset['now'])
  const until = performance.now() + left_ms
  button.disabled = true
  // A timer is not read out at every step.
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
