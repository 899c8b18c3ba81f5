import type { Catalogue, Locale } from './catalogue.ts'

type Loader = () => Promise<{ readonly catalogue: Catalogue }>

const loaders: Readonly<Record<Locale, readonly [everybody: Loader, operators: Loader]>> = {
  en: [() => import('./en.ts'), () => import('./operator-en.ts')],
  ar: [() => import('./ar.ts'), () => import('./operator-ar.ts')],
}

/** Loads all texts of a language, once; those that operators alone read only for an operator. */
export async function loadCatalogue(locale: Locale, forOperator: boolean): Promise<Catalogue> {
  const [everybody, operators] = loaders[locale]
  const loaded = await Promise.all(forOperator ? [everybody(), operators()] : [everybody()])
  return new Map(loaded.flatMap(({ catalogue }) => [...catalogue]))
}
