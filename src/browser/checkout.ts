// Redirects after a payment, and shows a page that a customer goes back to as things stand now. Every page works without it.

/** The longest wait for the page that the customer asked for. */
const patience_ms = 30_000

/** Until then the customer is on the way to another page: leading elsewhere would give up what was asked for, or sent. */
let leaves_until = 0
addEventListener('beforeunload', () => {
  leaves_until = performance.now() + patience_ms
})
const leaves = (): boolean => performance.now() < leaves_until

/**
 * Whether to lead elsewhere now. Without a network an error of the browser would replace the page; but a browser may call itself
 * offline and still reach a server nearby.
 */
async function mayLead(): Promise<boolean> {
  if (leaves()) return false
  if (navigator.onLine) return true
  const reached = fetch(import.meta.url, { cache: 'no-store' }).then(
    () => true,
    () => false,
  )
  return (await reached) && !leaves()
}

/** Redirects to the store after a countdown, which begins again while the customer reads on, unless the customer stays. */
function returnLater(countdown: HTMLElement): void {
  const now = document.querySelector<HTMLAnchorElement>('a[data-return="now"]')
  const never = document.querySelector<HTMLAnchorElement>('a[data-return="never"]')
  const timer = countdown.querySelector('[role="timer"]')
  if (now === null) return
  const wait_ms = Number(countdown.dataset['returnAfter']) * 1000
  let until = performance.now() + wait_ms
  for (const sign of ['keydown', 'pointerdown', 'wheel', 'focusin'])
    addEventListener(sign, () => {
      until = performance.now() + wait_ms
    })
  let stayed = false
  never?.addEventListener('click', (event) => {
    event.preventDefault()
    stayed = true
    // A reload stays, too.
    history.replaceState(null, '', never.href)
    countdown.remove()
    never.remove()
    now.focus()
  })
  const tick = async (): Promise<void> => {
    if (stayed) return
    const left_s = Math.ceil((until - performance.now()) / 1000)
    if (timer !== null) timer.textContent = `0:${String(Math.max(0, left_s)).padStart(2, '0')}`
    if (left_s > 0) setTimeout(tick, 250)
    else if (!(await mayLead())) setTimeout(tick, 1_000)
    else if (!stayed) location.replace(now.href)
  }
  void tick()
  // Screen readers say what is written there after the page was opened: the limit stands far below the heading.
  const told = document.querySelector<HTMLElement>('[data-tells]')
  if (told !== null) told.textContent = told.dataset['tells'] ?? ''
}

/** Checks again whether the payment is decided. */
function checkAgain(link: HTMLAnchorElement): void {
  const wait_ms = Number(link.dataset['lookAfter']) * 1000
  const look = async (): Promise<void> => {
    if (await mayLead()) location.replace(link.href)
    else setTimeout(look, wait_ms)
  }
  setTimeout(look, wait_ms)
}

const countdown = document.querySelector<HTMLElement>('[data-return-after]')
if (countdown !== null) returnLater(countdown)
const link = document.querySelector<HTMLAnchorElement>('a[data-look-after]')
if (link !== null) checkAgain(link)

/** Safari's own. */
interface WithApplePay {
  readonly ApplePaySession?: { readonly canMakePayments?: () => boolean }
}
if ((window as WithApplePay).ApplePaySession?.canMakePayments?.() === true)
  for (const method of document.querySelectorAll<HTMLElement>('[data-apple-pay]')) method.hidden = false

// The browser shows an old page after going back. Reload it: the checkout may have moved on.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
