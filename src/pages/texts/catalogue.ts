import { readFileSync } from 'node:fs'
import type { Locale, LocalText } from '../../domain/locale.ts'
import type card from './en/card.json'
import type checkout from './en/checkout.json'
import type demo from './en/demo.json'
import type failure from './en/failure.json'
import type frame from './en/frame.json'
import type identity from './en/identity.json'
import type payment from './en/payment.json'
import type playground from './en/playground.json'
import type wallet from './en/wallet.json'

/**
 * The texts of the pages that customers see, in files that translators edit: one for each area and language, in `en/` and
 * `ar/`. `{names}` stand for values. A text that depends on a number has the plural forms of its language.
 */

/** A text by plural form, in each language. `other` is used for missing forms. */
export type Plurals = Readonly<
  Record<Locale, { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>
>

type Group = Readonly<Record<string, unknown>>
type Area = Readonly<Record<string, Group>>

/** What a key of the English file gives in both languages. */
type InBoth<Entry> = Entry extends string ? LocalText : Plurals

type Texts<File> = {
  readonly [Name in keyof File]: { readonly [Key in keyof File[Name]]: InBoth<File[Name][Key]> }
}

export const catalogue = {
  card: read<typeof card>('card'),
  checkout: read<typeof checkout>('checkout'),
  demo: read<typeof demo>('demo'),
  failure: read<typeof failure>('failure'),
  frame: read<typeof frame>('frame'),
  identity: read<typeof identity>('identity'),
  payment: read<typeof payment>('payment'),
  playground: read<typeof playground>('playground'),
  wallet: read<typeof wallet>('wallet'),
}

function read<File>(area: string): Texts<File> {
  const [en, ar] = [fileOf(area, 'en'), fileOf(area, 'ar')]
  const groups = Object.keys(en).map((name) => [name, join(en[name], ar[name])])
  return Object.fromEntries(groups) as Texts<File>
}

function fileOf(area: string, locale: Locale): Area {
  return JSON.parse(readFileSync(new URL(`./${locale}/${area}.json`, import.meta.url), 'utf8'))
}

function join(en: Group = {}, ar: Group = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(en).map((key) => [key, { en: en[key], ar: ar[key] }]))
}
