// What the checkout shows while a customer types, and where it leads by itself. Every page of it works without.

const number = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const folded = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** The points of a text as the server reads them; 0 for what is no number. */
function pointsIn(typed: string): number {
  const text = folded(typed.replace(/[\p{Zs}\p{Cf}]/gu, ''))
  const digits = /^\d{1,3}([,\u066c]\d{3})+$/.test(text) ? text.replace(/[,\u066c]/g, '') : text
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0
}

/** What points are worth, as one types. */
function showWorth(live: HTMLElement): void {
  const field = document.querySelector<HTMLInputElement>('input[name="points"]')
  const { valueE6, total, most, needed } = live.dataset
  const write = (name: string, halalas: number): void => {
    const figure = live.querySelector(`[data-${name}] .figure`)
    if (figure !== null) figure.textContent = number.format(halalas / 100)
  }
  const update = (): void => {
    const points = pointsIn(field?.value ?? '')
    const whole = Number(total)
    // Exact as the server's: rounded down, and all of the order once it is paid.
    const worth = points >= Number(needed) ? whole : Number((BigInt(points) * BigInt(valueE6 ?? 0)) / 10000n)
    live.hidden = worth === 0 || points > Number(most)
    write('value', worth)
    write('remainder', whole - worth)
  }
  field?.addEventListener('input', update)
  update()
}

/** Goes back to the store after a while, unless the customer stays. */
function returnLater(told: HTMLElement): void {
  const now = document.querySelector<HTMLAnchorElement>('a[data-return="now"]')
  const never = document.querySelector<HTMLAnchorElement>('a[data-return="never"]')
  const timer = told.querySelector('[role="timer"]')
  if (now === null) return
  const until = performance.now() + Number(told.dataset['returnAfter']) * 1000
  let stayed = false
  never?.addEventListener('click', (event) => {
    event.preventDefault()
    stayed = true
    told.remove()
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

/** Looks again whether the payment has come. */
function lookAgain(link: HTMLAnchorElement): void {
  setTimeout(() => location.replace(link.href), Number(link.dataset['lookAfter']) * 1000)
}

const live = document.querySelector<HTMLElement>('.live')
if (live !== null) showWorth(live)
const told = document.querySelector<HTMLElement>('[data-return-after]')
if (told !== null) returnLater(told)
const link = document.querySelector<HTMLAnchorElement>('a[data-look-after]')
if (link !== null) lookAgain(link)

// Going back shows the page as it was; what has become of the checkout since, the server knows.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
