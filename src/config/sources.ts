import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { errorCode } from '../lib/errors.ts'
import { type FlagName, type SettingName, type SettingValue, settingNames, settings } from './settings.ts'

/** Settings given as flags of the command line, as typed. */
export type Flags = Readonly<Partial<Record<FlagName, string | undefined>>>

type Texts = Readonly<Record<string, string | undefined>>

/**
 * Reads settings from flags, environment and `.env`, in this order of precedence. Collects every mistake, so that the
 * operator can correct all of them at once.
 */
export class Sources {
  readonly mistakes: string[] = []
  readonly production: boolean
  readonly cwd: string
  readonly #flags: Flags
  readonly #levels: readonly { readonly where: string; readonly texts: Texts; readonly file?: string }[]

  constructor(env: Texts, flags: Flags, cwd: string) {
    this.cwd = cwd
    this.#flags = flags
    this.#levels = [
      { where: '', texts: env },
      { where: ' (in .env)', texts: this.#readDotEnv(), file: this.path('.env') },
    ]
    const given = new Set(this.#levels.flatMap(({ texts }) => Object.keys(texts)))
    for (const { name, nearest } of unknownNames([...given]))
      this.mistakes.push(`${name} is not a setting; did you mean ${nearest}?`)
    this.production = this.text('NUQTA_ENVIRONMENT') === 'production'
  }

  /** The value of a setting: its default when it is not given, or given with a mistake. */
  read<Name extends SettingName>(name: Name): SettingValue<Name> {
    const { type, default: always, production_default } = settings[name]
    const text = this.text(name)
    const value = text === undefined ? undefined : type.parse(text, (mistake) => this.mistake(name, mistake))
    return value ?? (this.production ? (production_default ?? always) : always)
  }

  /** The text of a setting, trimmed; `undefined` when it is not given. A blank text counts as not given. */
  text(name: SettingName): string | undefined {
    const { flag, secret } = settings[name]
    const flagged = flag === undefined ? undefined : this.#flags[flag]?.trim()
    if (flagged !== undefined && flagged !== '') return flagged
    for (const { where, texts } of this.#levels) {
      const own = texts[name]?.trim()
      const file = secret ? texts[`${name}_FILE`]?.trim() : undefined
      if (own && file) this.mistake(name, `is given twice: as ${name} and as ${name}_FILE${where}`)
      if (own) return own
      if (file) return this.#readSecretFile(name, file)
    }
    return undefined
  }

  /** Whether a setting is given in any form, also when its value or its file cannot be used. */
  isGiven(name: SettingName): boolean {
    const { flag, secret } = settings[name]
    if (flag !== undefined && this.#flags[flag]?.trim()) return true
    const names = secret ? [name, `${name}_FILE`] : [name]
    return this.#levels.some(({ texts }) => names.some((one) => texts[one]?.trim()))
  }

  /** Notes once what is wrong with a setting; `what` goes on after the name. */
  mistake(name: string, what: string): undefined {
    const mistake = `${name} ${what}`
    if (!this.mistakes.includes(mistake)) this.mistakes.push(mistake)
    return undefined
  }

  /** An absolute path; a relative one starts at the working directory. */
  path(text: string): string {
    return resolve(this.cwd, text)
  }

  /** The files that hold secrets, as absolute paths: those that settings name, and `.env` if it holds one itself. */
  secretFiles(): readonly string[] {
    const names = settingNames.filter((name) => settings[name].secret && !public_pem.includes(name))
    const found = this.#levels.flatMap(({ texts, file }) =>
      names.flatMap((name) => {
        const own = texts[name]?.trim()
        const named = own && isPathOfPem(name, own) ? own : texts[`${name}_FILE`]?.trim()
        if (named) return [this.path(named)]
        return file !== undefined && own && isSecret(own) ? [file] : []
      }),
    )
    return [...new Set(found)]
  }

  #readSecretFile(name: SettingName, file: string): string | undefined {
    const text = this.readFile(`${name}_FILE`, file)?.trim()
    if (text === '') return this.mistake(`${name}_FILE`, `names an empty file: ${file}`)
    return text
  }

  /** The text of a file that a setting names. A file that cannot be read is a mistake. */
  readFile(name: string, file: string): string | undefined {
    try {
      return readFileSync(this.path(file), 'utf8')
    } catch (error) {
      const shown = isSurelyPath(file) ? file : 'it is not shown here, because it may be the secret itself'
      return this.mistake(name, `names a file that cannot be read: ${shown} (${codeOf(error)})`)
    }
  }

  #readDotEnv(): Texts {
    try {
      // Editors of Windows begin a file with a mark, which would be a part of the first name.
      const text = readFileSync(this.path('.env'), 'utf8').replace(/^\uFEFF/, '')
      for (const [, name = ''] of text.matchAll(withoutEquals))
        if (name.startsWith('NUQTA_') || accepted.includes(name))
          this.mistake(name, `is not set by its line in .env: write ${name}=value`)
      return parseEnv(text)
    } catch (error) {
      const advice = 'give it to this user, or run this in another folder'
      if (codeOf(error) !== 'ENOENT')
        this.mistakes.push(`${this.path('.env')} cannot be read (${codeOf(error)}): ${advice}`)
      return {}
    }
  }
}

/** Lines that name something and give it no value, such as `NAME: value`. A parser of `.env` passes over them. */
const withoutEquals = /^[ \t]*(?:export[ \t]+)?(\w+)\b(?![ \t]*=)/gm

/** Settings that may come from a file like a secret, and are none. */
const public_pem: readonly SettingName[] = ['NUQTA_TLS_CERT', 'NUQTA_WEBHOOK_CA']

function isPathOfPem(name: SettingName, text: string): boolean {
  return name === 'NUQTA_TLS_KEY' && !text.includes('-----BEGIN ')
}

/** An address is a secret only with a password. */
function isSecret(text: string): boolean {
  const address = URL.parse(text)
  return address === null || address.host === '' || address.password !== '' || address.searchParams.has('password')
}

/** Secrets are longer. */
const longest_bare_name = 20

/** Whether a text names a file for sure. Somebody may have put the secret itself in its place. */
function isSurelyPath(text: string): boolean {
  if (/[\r\n]|:\/\//.test(text)) return false
  return /^\.{0,2}\/|\.[a-z]{2,4}$/.test(text) || text.length <= longest_bare_name
}

/** The code, or all that is known. */
function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error)
}

/** Other `NUQTA_*` names: what `sandbox.env` exports for clients, and the switch of the test suite. */
const ignored = ['NUQTA_BASE_URL', 'NUQTA_PUBLIC_KEY', 'NUQTA_PRIVATE_KEY', 'NUQTA_CA', 'NUQTA_TEST_LONG']

const accepted: readonly string[] = settingNames.flatMap((name) =>
  settings[name].secret ? [name, `${name}_FILE`] : [name],
)

function unknownNames(names: readonly string[]): { name: string; nearest: string }[] {
  return names
    .filter((name) => name.startsWith('NUQTA_') && !accepted.includes(name) && !ignored.includes(name))
    .map((name) => ({ name, nearest: nearest(name) }))
}

function nearest(name: string): string {
  const ranked = accepted.map((known) => ({ known, distance: editDistance(name, known) }))
  return ranked.reduce((best, one) => (one.distance < best.distance ? one : best)).known
}

/** Counts the letters to add, drop or change on the way from one text to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
