import { createContext, runInContext } from 'node:vm'
import { scriptText } from '../../src/pages/design/assets.ts'

/** The methods of the widget's element that need no page. */
export interface WidgetRules {
  toHalalas(text: string): number | null
  toPoints(halalas: number, points_per_sar: number): number
  textOf(points: number, locale: 'ar' | 'en'): string
}

/** Runs the script on an empty page, like a browser, and gives the element that it defines. */
export function widgetRules(): WidgetRules {
  const source = scriptText('widget')
  const defined: WidgetRules[] = []
  const page = createContext({
    Intl,
    HTMLElement: class {},
    HTMLScriptElement: class {},
    MutationObserver: class {
      observe(): void {}
    },
    matchMedia: () => ({ addEventListener: () => undefined }),
    customElements: { get: () => undefined, define: (_tag: string, element: WidgetRules) => defined.push(element) },
    document: { currentScript: null, querySelector: () => null, documentElement: {} },
  })
  const before = Object.keys(page)
  // Run it twice, like a page that includes it twice: the second run must not collide with names of the first.
  for (const _ of [1, 2]) runInContext(source, page)
  const [rules] = defined
  if (rules === undefined) throw new Error('the script has defined no element')
  const left = Object.keys(page).filter((name) => ![...before, 'Nuqta'].includes(name))
  if (left.length > 0) throw new Error(`the script leaves names in the page: ${left.join(', ')}`)
  return rules
}
