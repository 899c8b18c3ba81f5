// Sends a one-time code at its sixth digit: typed, pasted with its message, or taken from the message by the browser.

/** Reads a code as the server does. */
function readCode(typed: string): string | undefined {
  const text = typed.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
  const compact = text.replace(/[^\p{L}\p{N}]/gu, '')
  if (/^\d{6}$/.test(compact)) return compact
  if (!/\p{L}/u.test(text)) return undefined
  const found = new Set(text.match(/(?<!\d)\d{6}(?!\d)/g))
  return found.size === 1 ? [...found][0] : undefined
}

const field = document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]')
const waiting = new AbortController()

function send(typed: string): void {
  const code = readCode(typed)
  if (code === undefined || field === null) return
  waiting.abort()
  field.value = code
  field.form?.requestSubmit()
}

/** Chrome on Android offers the code of a message whose last line names this host. */
async function takeFromMessage(): Promise<void> {
  const options = { otp: { transport: ['sms'] }, signal: waiting.signal }
  const found = await navigator.credentials.get(options)
  if (found !== null && 'code' in found) send(String(found.code))
}

if (field !== null) {
  field.addEventListener('input', () => send(field.value))
  field.form?.addEventListener('submit', () => waiting.abort())
  // Refused when the customer declines, or leaves: then the code is typed.
  if ('OTPCredential' in window) takeFromMessage().catch(() => undefined)
}
