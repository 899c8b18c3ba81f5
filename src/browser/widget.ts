// The widget of a shop (docs/widget.md): what a purchase earns, the shopper's points, and a button that opens the checkout.
// A classic script in one block. It adds one name to the shop's page, `Nuqta`, and its errors do not reach the page.
import { NuqtaCard } from './widget/card.ts'
import { NuqtaEarn } from './widget/earn.ts'
import { ignoreErrors, NuqtaElement, own, refreshAll } from './widget/element.ts'
import { NuqtaPay, type Order } from './widget/pay.ts'

const elements = { earn: NuqtaEarn, card: NuqtaCard, pay: NuqtaPay }
type Part = keyof typeof elements

/** The settings that can change while a page is open. */
interface Settings {
  key?: string
  amount?: string | number
  lang?: string
  theme?: string
  order?: Order
}

/** A selector or an element to add to, for each part that the page shows. */
type Options = Settings & Partial<Record<Part, string | Element>>

const placesOf = (spot: string | Element): Iterable<Element> =>
  typeof spot === 'string' ? document.querySelectorAll(spot) : [spot]

/** Gives an element the settings that are named; null or undefined takes one away. */
const set = (element: NuqtaElement, { order, ...settings }: Settings, named: Settings): void => {
  for (const [name, value] of Object.entries(settings)) {
    if (!NuqtaElement.observedAttributes.includes(name)) continue
    if (value === undefined || value === null) element.removeAttribute(name)
    else element.setAttribute(name, String(value))
  }
  if (!('order' in named) || !(element instanceof NuqtaPay)) return
  element.body = order
  element.refresh()
}

/** Adds parts to a page that changes without being loaded again. */
const init = (options: Options): { update: (settings: Settings) => void; destroy: () => void } => {
  const made = new Set<NuqtaElement>()
  const update = (settings: Settings): void => {
    for (const element of made) ignoreErrors(() => set(element, settings, settings))
  }
  ignoreErrors(() => {
    for (const part of Object.keys(elements) as Part[]) {
      const spot = options[part]
      if (!spot) continue
      for (const place of placesOf(spot)) {
        const element = new elements[part]()
        made.add(element)
        set(element, options, options)
        place.append(element)
      }
    }
  })
  const destroy = (): void => {
    for (const element of made) element.remove()
    made.clear()
  }
  return { update, destroy }
}

/** Adds lines to the script's targets, or one after the script. */
const place = (script: HTMLScriptElement, line: typeof NuqtaEarn): void => {
  const attributeFilter = ['data-key', 'data-amount', 'data-lang', 'data-theme', 'data-order']
  new MutationObserver(refreshAll).observe(script, { attributes: true, attributeFilter })
  const { target, amount } = script.dataset
  const make = (): NuqtaEarn => Object.assign(new line(), { source: script })
  if (target) for (const spot of document.querySelectorAll(target)) spot.append(make())
  else if (amount !== undefined && document.body.contains(script)) script.after(make())
}

ignoreErrors(() => {
  // A page may have several of our scripts: the first one defines the elements.
  const known = customElements.get('nuqta-earn') as typeof NuqtaEarn | undefined
  if (known === undefined) {
    for (const [part, element] of Object.entries(elements)) customElements.define(`nuqta-${part}`, element)
    if (!('Nuqta' in globalThis)) Object.defineProperty(globalThis, 'Nuqta', { value: Object.freeze({ init }) })
    new MutationObserver(refreshAll).observe(document.documentElement, { attributeFilter: ['lang'] })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refreshAll)
  }
  if (own === null) return
  const script = own
  const begin = (): void => ignoreErrors(() => place(script, known ?? NuqtaEarn))
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
  else begin()
})
