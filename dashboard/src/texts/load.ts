import type { Locale } from '../../../src/domain/locale.ts'
import { loadFile } from '../app/later.ts'
import type { Catalogue } from './catalogue.ts'

type Load = () => Promise<{ readonly catalogue: Catalogue }>

const loaders: Readonly<Record<Locale, Load>> = {
  en: () => import('./en.ts'),
  ar: () => import('./ar.ts'),
}

const ofOperators: Readonly<Record<Locale, Load>> = {
  en: () => import('./en-operator.ts'),
  ar: () => import('./ar-operator.ts'),
}

/** Loads all texts of a language, once; those of operators' pages for operators. */
export async function loadCatalogue(locale: Locale, isOperator: boolean): Promise<Catalogue> {
  const loads = [loaders[locale], ...(isOperator ? [ofOperators[locale]] : [])]
  const [all, ...more] = await Promise.all(loads.map(loadFile))
  return new Map([all, ...more].flatMap((one) => [...(one?.catalogue ?? [])]))
}
