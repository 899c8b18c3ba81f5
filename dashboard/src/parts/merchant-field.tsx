import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askForList } from '../api/query.ts'
import { nameIn } from '../app/names.ts'
import { useProgram } from '../app/program.ts'
import { useTexts } from '../texts/texts.tsx'

/** As many as one looks through; more letters find the others. */
const most_offered = '20'

/** What a field of a filter bar takes that keeps a state of its own. */
export interface FilterFieldProps {
  className: string | undefined
  label: string
  value: string
  onChange: (value: string) => void
}

/** Chooses a merchant of the program, whose number is the value. It is searched for by a part of its name, or by its number. */
export function MerchantField({ value, onChange, ...field }: FilterFieldProps) {
  const { t, locale } = useTexts()
  const { programId } = useProgram()
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const optionsOf = (found: ReturnType<typeof useMerchants>) =>
    found.data?.rows.map((row) => ({ value: String(row.merchant_id), label: nameIn(row, locale) })) ?? []
  const [chosen] = optionsOf(useMerchants(programId, value, value !== ''))
  const shown = chosen?.value === value ? chosen : { value, label: value }
  // The field repeats the name of the merchant that is chosen; one looks for others, then.
  const words = typed === shown.label ? '' : typed
  const [q] = useDebouncedValue(words.trim(), 350)
  const found = useMerchants(programId, q, opened)
  const others = optionsOf(found).filter((one) => one.value !== value)
  return (
    <Select
      {...field}
      placeholder={t('common.any')}
      data={value === '' ? others : [shown, ...others]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      onDropdownOpen={() => setOpened(true)}
      onSearchChange={setTyped}
      nothingFoundMessage={found.data === undefined ? undefined : t('common.nothing_found')}
      // The service has found them by rules of its own.
      filter={({ options }) => options}
      searchable
    />
  )
}

function useMerchants(programId: number, q: string, enabled: boolean) {
  const query = q === '' ? { limit: most_offered } : { q, limit: most_offered }
  return useQuery({
    ...askForList('/programs/{programId}/merchants', { params: { path: { programId }, query } }),
    enabled,
    throwOnError: false,
  })
}
