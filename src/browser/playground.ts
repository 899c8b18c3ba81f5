// The widget playground: updates the preview and the tag to copy while settings change.

const form = document.querySelector<HTMLFormElement>('form[data-playground]')
const widget = document.querySelector<HTMLScriptElement>('script[data-target]')
const sample = document.querySelector<HTMLElement>('[data-sample]')

function readSettings(): Record<string, string> {
  const fields = new FormData(form ?? undefined)
  const read = (name: string): string => String(fields.get(name) ?? '').trim()
  const [language, theme] = [read('language'), read('theme')]
  return {
    key: read('key'),
    amount: read('amount'),
    ...(language === 'page' ? {} : { lang: language }),
    ...(theme === 'auto' ? {} : { theme }),
  }
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

/** Writes a value into the samples that have it. */
function fill(name: string, text: string): void {
  for (const part of document.querySelectorAll(`[data-fill="${name}"]`)) part.textContent = text
}

function update(): void {
  if (widget === null || sample === null) return
  const settings = readSettings()
  const amount = /^\d+(\.\d+)?$/.test(settings['amount'] ?? '') ? (settings['amount'] ?? '0') : '0'
  const order = JSON.stringify({ ...JSON.parse(widget.dataset['order'] ?? '{}'), total_price: Number(amount) })
  for (const [name, value] of Object.entries({ lang: undefined, theme: undefined, ...settings, order })) {
    if (value === undefined) delete widget.dataset[name]
    else widget.dataset[name] = value
  }
  fill('amount', amount)
  fill('key', JSON.stringify(settings['key'] ?? ''))
  const data = Object.entries(settings).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
  const lines = [`src="${escapeHtml(sample.dataset['sample'] ?? '')}"`, ...data, 'async']
  sample.textContent = `<script ${lines.join('\n  ')}></script>`
  for (const price of document.querySelectorAll('[data-price]'))
    (price.querySelector('.figure') ?? price).textContent = settings['amount'] ?? ''
}

function showProduct(): void {
  const product = form?.querySelector<HTMLInputElement>('[name=product]')?.value.trim()
  if (product) for (const shown of document.querySelectorAll('[data-product]')) shown.textContent = product
}

form?.addEventListener('input', update)
form?.addEventListener('input', showProduct)

/** Copies the sample above the button. */
function copy(copying: HTMLElement): void {
  const sample = copying.parentElement?.querySelector('code')
  navigator.clipboard.writeText(sample?.textContent ?? '').then(
    () => {
      const status = copying.querySelector('[role=status]')
      if (status !== null) status.textContent = copying.dataset['copying'] ?? ''
    },
    () => undefined, // the reader can still select the text
  )
}

for (const copying of 'clipboard' in navigator ? document.querySelectorAll<HTMLElement>('[data-copying]') : []) {
  copying.hidden = false
  copying.querySelector('button')?.addEventListener('click', () => copy(copying))
}
