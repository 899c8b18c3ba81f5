import type { Catalogue, Locale } from './catalogue.ts'

const loaders: Readonly<Record<Locale, () => Promise<{ readonly catalogue: Catalogue }>>> = {
  en: () => import('./en.ts'),
  ar: () => import('./ar.ts'),
}

/** Loads all texts of a language, once. */
export async function loadCatalogue(locale: Locale): Promise<Catalogue> {
  return (await loaders[locale]()).catalogue
}
