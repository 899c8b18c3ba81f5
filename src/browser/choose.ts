// Writes the sums of a choice of points while a customer chooses and types. The page works without it.

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en')
const foldDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** Reads an amount as the server does. 0 when the text is not one. */
function parseAmount(typed: string, pattern: RegExp): number {
  const text = foldDigits(typed.replace(/[\p{Zs}\p{Cf}]/gu, ''))
  const grouped = /^\d{1,3}([,\u066c]\d{3})+([.\u066b]\d+)?$/.test(text)
  const number = (grouped ? text.replace(/[,\u066c]/g, '') : text).replace('\u066b', '.')
  return pattern.test(number) ? Number(number) : 0
}

const form = document.querySelector<HTMLFormElement>('form#choice')
const totals = document.getElementById('totals')
const amount = form?.querySelector<HTMLInputElement>('input[name="amount"]')
const unit = form?.querySelector<HTMLSelectElement>('select[name="unit"]')
const figure = (name: string): bigint => BigInt(totals?.dataset[name] ?? 0)
const [total, value, most] = [figure('total'), figure('valueE6'), figure('most')]
const inRiyals = (): boolean => unit?.value === 'sar'

/** As the server calculates: worth is rounded down to halalas, and points that buy nothing more stay. */
const worthOf = (points: bigint): bigint => (points >= figure('needed') ? total : (points * value) / 10_000n)
const pointsFor = (halalas: bigint): bigint => (halalas * 10_000n + value - 1n) / value

function readTyped(): { points: bigint; too_many: boolean } {
  const text = amount?.value ?? ''
  if (!inRiyals()) {
    const points = BigInt(parseAmount(text, /^\d{1,15}$/))
    return { points, too_many: points > most }
  }
  const halalas = BigInt(Math.round(parseAmount(text, /^\d{1,12}(\.\d{1,2})?$/) * 100))
  const points = pointsFor(halalas)
  return { points, too_many: halalas > total || points > most }
}

/** The choice; null when it cannot be confirmed. */
function readChosen(typed: ReturnType<typeof readTyped>): bigint | null {
  const use = form?.querySelector<HTMLInputElement>('input[name="use"]:checked')?.value
  if (use !== 'part') return use === undefined ? null : use === 'all' ? most : 0n
  return typed.too_many || worthOf(typed.points) === 0n ? null : typed.points
}

/** Shows the part with this name and hides the others. */
function show(key: 'label' | 'says', name: string | undefined): void {
  for (const part of form?.querySelectorAll<HTMLElement>(`[data-${key}]`) ?? [])
    part.hidden = part.dataset[key] !== name
}

function write(name: string, text: string): void {
  for (const part of form?.querySelectorAll(`[data-live="${name}"] .figure`) ?? []) part.textContent = text
}

function update(): void {
  const typed = readTyped()
  const points = readChosen(typed)
  const worth = worthOf(points ?? 0n)
  const used = pointsFor(worth)
  const due = total - worth
  write('value', money.format(Number(worth) / 100))
  write('due', money.format(Number(due) / 100))
  write('points', whole.format(used))
  write('left', whole.format(figure('available') - used))
  write('earned', whole.format((due * figure('earnE4')) / 1_000_000n))
  totals?.toggleAttribute('hidden', points === null)
  for (const part of form?.querySelectorAll<HTMLElement>('[data-due]') ?? []) part.hidden = due === 0n
  show('label', points === null ? 'plain' : due > 0n ? 'pay' : 'use')
  const too_many = inRiyals() ? 'too_many_sar' : 'too_many_points'
  show('says', typed.too_many ? too_many : points === null ? undefined : 'worth')
  amount?.setAttribute('aria-invalid', String(typed.too_many))
}

/** Links that fill in the amount do so without loading the page. */
function fillIn(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-points]') : null
  if (!amount || link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const points = link.dataset['points'] ?? ''
  amount.value = inRiyals() ? (Number(worthOf(BigInt(points))) / 100).toFixed(2) : points
  amount.dispatchEvent(new Event('input', { bubbles: true }))
  amount.focus()
}

/** The page in the other language shows what was chosen and typed here. */
function keepChoice(this: HTMLAnchorElement): void {
  const to = new URL(this.href)
  for (const [name, text] of form === null ? [] : new FormData(form))
    if (['use', 'amount', 'unit'].includes(name) && typeof text === 'string') to.searchParams.set(name, text)
  this.href = to.href
}

if (form !== null && totals !== null) {
  const errors = form.querySelectorAll<HTMLElement>('.field .wrong')
  form.addEventListener('click', fillIn)
  form.addEventListener('input', () => {
    // The server's findings are about what was typed before.
    for (const error of errors) {
      error.hidden = true
      error.closest('.field-wrong')?.classList.remove('field-wrong')
    }
    update()
  })
  document.querySelector<HTMLAnchorElement>('a.language')?.addEventListener('click', keepChoice)
  update()
  if (errors.length > 0) show('says', undefined)
}
