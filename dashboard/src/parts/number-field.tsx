import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { type NumberBounds, readNumber } from './typed-number.ts'

/** How long a person rests before half a number, such as `1,2` of `1,234`, is called wrong. */
const rest_ms = 400

/** A field for a number in the digits of any keyboard. `value` is NaN while its text is no number that it takes. */
export function NumberField({
  label,
  description,
  value,
  money = false,
  places = money ? 2 : 0,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
  unit,
  maw,
  error,
  onChange,
}: Partial<NumberBounds> & {
  label: string
  description?: string | undefined
  value: number
  /** An amount of SAR, which is written with two decimals. */
  money?: boolean
  /** What is written behind the number. */
  unit?: string
  maw?: number
  error: string | undefined
  onChange: (value: number) => void
}) {
  const { t } = useTexts()
  const [typed, setTyped] = useState<string>()
  const bounds = { places, least, most }
  // The form changes its value too, as when it discards what was typed.
  const text = typed !== undefined && Object.is(readNumber(typed, bounds).value, value) ? typed : textOf(value, money)
  const [rested] = useDebouncedValue(text, rest_ms)
  const problem = text === typed && text === rested ? readNumber(text, bounds).problem : undefined
  return (
    <TextInput
      label={label}
      {...(description === undefined ? {} : { description })}
      {...(maw === undefined ? {} : { maw })}
      inputMode={places === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={40}
      value={text}
      error={problem === undefined ? error : t(problem.text, problem.values)}
      {...(unit === undefined ? {} : { rightSection: <span aria-hidden="true">{unit}</span> })}
      // A form with such a field is not sent.
      data-unread={Number.isNaN(value) || undefined}
      onChange={({ currentTarget: { value: now } }) => {
        setTyped(now)
        onChange(readNumber(now, bounds).value)
      }}
      // In Arabic, the unit would cover the number unless it stays behind it there too.
      styles={{ wrapper: { direction: 'ltr' } }}
    />
  )
}

/** Without separators, among which a digit could not be typed. */
function textOf(value: number, money: boolean): string {
  if (Number.isNaN(value)) return ''
  return money ? value.toFixed(2) : String(value)
}

/** Leads to the first field of the form whose number cannot be read; false if there is none. */
export function leadToUnread(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>('[data-unread]')
  field?.focus()
  return field !== null
}
