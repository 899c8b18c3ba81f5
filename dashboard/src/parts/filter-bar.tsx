import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './filter-bar.module.css'
import { Icon } from './icon.tsx'
import { type FilterFieldProps, MerchantField } from './merchant-field.tsx'
import type { UrlFilters } from './url-filters.ts'

interface Filter<Name extends string> {
  readonly name: Name
  readonly label: string
  /** `merchant`: one of the open program. */
  readonly kind: 'search' | 'choice' | 'date' | 'merchant'
  readonly placeholder?: string
  /** For a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/** With this many choices and dates, a phone hides them behind a button: the list comes first. */
const most_at_once = 3

/** This many filters do not fit in one line, so the search field with its long hint has a line of its own. */
const many = 5

/** The filters of a list: a search field, choices and dates, all bound to the URL. */
export function FilterBar<Name extends string>({
  filters,
  of,
}: {
  filters: readonly Filter<Name>[]
  of: UrlFilters<Name>
}) {
  const { t } = useTexts()
  const [opened, setOpened] = useState(false)
  const narrowing = filters.filter(({ kind }) => kind !== 'search')
  const isOpen = opened || narrowing.some(({ name }) => (of.values[name] ?? '') !== '')
  return (
    <search
      className={classes.bar}
      aria-label={t('common.filters')}
      data-open={isOpen}
      data-many={filters.length >= many}
    >
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} of={of} isFolded={narrowing.length >= most_at_once} />
      ))}
      {isOpen || narrowing.length < most_at_once ? null : (
        <Button
          className={classes.more}
          variant="default"
          leftSection={<Icon name="menu" size={16} />}
          onClick={() => setOpened(true)}
        >
          {t('common.more_filters')}
        </Button>
      )}
      {of.any ? (
        <Button variant="subtle" leftSection={<Icon name="close" size={16} />} onClick={of.clear}>
          {t('common.clear_filters')}
        </Button>
      ) : null}
    </search>
  )
}

function FilterField<Name extends string>({
  filter,
  of,
  isFolded,
}: {
  filter: Filter<Name>
  of: UrlFilters<Name>
  isFolded: boolean
}) {
  const { t } = useTexts()
  const { name, label, kind, placeholder, options = [] } = filter
  const value = of.values[name] ?? ''
  const className = isFolded ? `${classes.field} ${classes.folded}` : classes.field
  const set = (next: string) => of.set({ [name]: next } as Parameters<typeof of.set>[0])
  if (kind === 'search')
    return <SearchField label={label} value={value} onChange={set} placeholder={placeholder ?? ''} />
  if (kind === 'merchant') return <MerchantField className={className} label={label} value={value} onChange={set} />
  if (kind === 'date') return <DayField className={className} label={label} value={value} onChange={set} />
  return (
    <Select
      className={className}
      label={label}
      data={[{ value: '', label: t('common.any') }, ...options]}
      value={value}
      allowDeselect={false}
      onChange={(next) => set(next ?? '')}
    />
  )
}

/** Filters by a day once its year is whole: of one that is typed, browsers tell after each digit, from 0002 on. */
function DayField({ value, onChange, ...field }: FilterFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [before, setBefore] = useState(value)
  // The URL has it now, or changed by itself.
  if (before !== value) {
    setBefore(value)
    setTyped(undefined)
  }
  return (
    <TextInput
      {...field}
      type="date"
      value={typed ?? value}
      onChange={({ currentTarget: { value: day } }) => {
        setTyped(day)
        if (!day.startsWith('0')) onChange(day)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

/** Searches a moment after the last letter, or at once with Enter. */
function SearchField({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder: string
}) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = (next: string) => {
    if (next === sent.current) return
    sent.current = next
    onChange(next)
  }
  const later = useDebouncedCallback(send, 350)
  // The URL changed by itself: filters were cleared, or the reader went back.
  useEffect(() => {
    if (value === sent.current) return
    later.cancel()
    sent.current = value
    setTyped(value)
  }, [value, later])
  return (
    <TextInput
      className={classes.search}
      label={label}
      type="search"
      placeholder={placeholder}
      leftSection={<Icon name="search" size={18} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        later(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') later.flush()
      }}
    />
  )
}
