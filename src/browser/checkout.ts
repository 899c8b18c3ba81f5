// Updates the checkout while a customer types, and redirects after a payment. Every page works without it.

const number = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const foldDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** Reads points as the server does. 0 when the text is not a number. */
function parsePoints(typed: string): number {
  const text = foldDigits(typed.replace(/[\p{Zs}\p{Cf}]/gu, ''))
  const digits = /^\d{1,3}([,\u066c]\d{3})+$/.test(text) ? text.replace(/[,\u066c]/g, '') : text
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0
}

/** Shows what the typed points are worth. */
function showWorth(live: HTMLElement): void {
  const field = document.querySelector<HTMLInputElement>('input[name="points"]')
  const { valueE6, total, most, needed } = live.dataset
  const write = (name: string, halalas: number): void => {
    const figure = live.querySelector(`[data-${name}] .figure`)
    if (figure !== null) figure.textContent = number.format(halalas / 100)
  }
  const update = (): void => {
    const points = parsePoints(field?.value ?? '')
    const whole = Number(total)
    // As the server calculates it: rounded down, at most the order's total.
    const worth = points >= Number(needed) ? whole : Number((BigInt(points) * BigInt(valueE6 ?? 0)) / 10000n)
    live.hidden = worth === 0 || points > Number(most)
    write('value', worth)
    write('due', whole - worth)
  }
  field?.addEventListener('input', update)
  update()
}

/** Redirects to the store after a countdown, unless the customer stays. */
function returnLater(countdown: HTMLElement): void {
  const now = document.querySelector<HTMLAnchorElement>('a[data-return="now"]')
  const never = document.querySelector<HTMLAnchorElement>('a[data-return="never"]')
  const timer = countdown.querySelector('[role="timer"]')
  if (now === null) return
  const until = performance.now() + Number(countdown.dataset['returnAfter']) * 1000
  let stayed = false
  never?.addEventListener('click', (event) => {
    event.preventDefault()
    stayed = true
    countdown.remove()
    never.remove()
    now.focus()
  })
  const tick = (): void => {
    if (stayed) return
    const left_s = Math.ceil((until - performance.now()) / 1000)
    if (timer !== null) timer.textContent = `0:${String(Math.max(0, left_s)).padStart(2, '0')}`
    if (left_s <= 0) location.replace(now.href)
    else setTimeout(tick, 250)
  }
  tick()
}

/** Checks again whether the payment is decided. */
function checkAgain(link: HTMLAnchorElement): void {
  setTimeout(() => location.replace(link.href), Number(link.dataset['lookAfter']) * 1000)
}

const live = document.querySelector<HTMLElement>('.live')
if (live !== null) showWorth(live)
const countdown = document.querySelector<HTMLElement>('[data-return-after]')
if (countdown !== null) returnLater(countdown)
const link = document.querySelector<HTMLAnchorElement>('a[data-look-after]')
if (link !== null) checkAgain(link)

// The browser shows an old page after going back. Reload it: the checkout may have moved on.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
