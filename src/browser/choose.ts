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

function follow(form: HTMLFormElement, totals: HTMLElement): void {
  const amount = form.querySelector<HTMLInputElement>('input[name="amount"]')
  const unit = form.querySelector<HTMLSelectElement>('select[name="unit"]')
  const figure = (name: string): bigint => BigInt(totals.dataset[name] ?? 0)
  const [total, value, most, needed] = [figure('total'), figure('valueE6'), figure('most'), figure('needed')]
  const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
  // As the server calculates: worth is rounded down to halalas, and points that buy nothing more stay.
  const worthOf = (points: bigint): bigint => (points >= needed ? total : (points * value) / 10_000n)
  const pointsFor = (halalas: bigint): bigint => (halalas * 10_000n + value - 1n) / value
  const inRiyals = (): boolean => unit?.value === 'sar'

  const typed = (): { points: bigint; too_many: boolean } => {
    const text = amount?.value ?? ''
    if (!inRiyals()) {
      const points = BigInt(parseAmount(text, /^\d{1,15}$/))
      return { points, too_many: points > most }
    }
    const halalas = BigInt(Math.round(parseAmount(text, /^\d{1,12}(\.\d{1,2})?$/) * 100))
    const points = pointsFor(halalas)
    return { points, too_many: halalas > total || points > most }
  }
  const show = (selector: string, name: string | undefined, key: string): void => {
    for (const part of form.querySelectorAll<HTMLElement>(selector)) part.hidden = part.dataset[key] !== name
  }
  const write = (name: string, text: string): void => {
    for (const part of form.querySelectorAll(`[data-live="${name}"] .figure`)) part.textContent = text
  }
  /** What is chosen; null when it cannot be confirmed as it stands. */
  const chosen = (use: string | undefined, part: ReturnType<typeof typed>): bigint | null => {
    if (use !== 'part') return use === undefined ? null : use === 'all' ? most : 0n
    return part.too_many || worthOf(part.points) === 0n ? null : part.points
  }
  const update = (): void => {
    const use = form.querySelector<HTMLInputElement>('input[name="use"]:checked')?.value
    const part = typed()
    const points = chosen(use, part)
    const worth = worthOf(points ?? 0n)
    const used = min(pointsFor(worth), most)
    const due = total - worth
    write('value', money.format(Number(worth) / 100))
    write('due', money.format(Number(due) / 100))
    write('points', whole.format(used))
    write('left', whole.format(figure('available') - used))
    write('earned', whole.format((due * figure('earnE4')) / 1_000_000n))
    totals.hidden = points === null
    show('[data-label]', points === null ? 'plain' : due > 0n ? 'pay' : 'use', 'label')
    const too_many = inRiyals() ? 'too_many_sar' : 'too_many_points'
    show('[data-says]', part.too_many ? too_many : points === null ? undefined : 'worth', 'says')
    amount?.setAttribute('aria-invalid', String(part.too_many))
  }
  const fill = (link: HTMLAnchorElement): void => {
    const points = BigInt(link.dataset['points'] ?? 0)
    if (amount === null) return
    amount.value = inRiyals() ? (Number(worthOf(points)) / 100).toFixed(2) : String(points)
    update()
    amount.focus()
  }
  form.addEventListener('input', () => {
    // What the server found belongs to what was typed before.
    for (const error of form.querySelectorAll<HTMLElement>('.field .wrong')) error.hidden = true
    update()
  })
  form.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-points]') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    fill(link)
  })
  keepOnSwitch(form)
  update()
  if (form.querySelector('.field .wrong') !== null) show('[data-says]', undefined, 'says')
}

/** The page in the other language shows what was chosen and typed here. */
function keepOnSwitch(form: HTMLFormElement): void {
  const link = document.querySelector<HTMLAnchorElement>('a.language')
  link?.addEventListener('click', () => {
    const to = new URL(link.href)
    for (const [name, value] of new FormData(form))
      if (['use', 'amount', 'unit'].includes(name) && typeof value === 'string') to.searchParams.set(name, value)
    link.href = to.href
  })
}

const form = document.querySelector<HTMLFormElement>('form#choice')
const totals = document.getElementById('totals')
if (form !== null && totals !== null) follow(form, totals)
