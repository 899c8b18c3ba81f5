import { Button, Group, Stack, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { BareDialog } from './bare-dialog.tsx'
import type { Submit } from './use-submit.ts'

interface EditedField {
  readonly name: string
  readonly label: string
  /** How a value is shown; by default as text. */
  readonly show?: (value: unknown) => ReactNode
}

export type Saved = Readonly<Record<string, unknown>>

export interface StaleProps<Values extends Saved> {
  of: Pick<Submit<never>, 'failure' | 'reset'>
  mine: Values
  fields: readonly EditedField[]
  /** Gets what is saved now, with its `version`, to send the edit again on top of it. */
  onKeep: (current: Values & { readonly version: string }) => void
  /** Gets what is saved now, to show it in the form. */
  onTake: (current: Values & { readonly version: string }) => void
}

/** What differs from what somebody else saved first. */
export function StaleDifference({ of, mine, fields, onKeep, onTake }: StaleProps<Saved>) {
  const { t } = useTexts()
  const current = of.failure?.current as (Saved & { readonly version: string }) | undefined
  const differing = fields.filter(({ name }) => JSON.stringify(current?.[name]) !== JSON.stringify(mine[name]))
  const choose = (act: typeof onKeep) => () => {
    of.reset()
    if (current !== undefined) act(current)
  }
  return (
    <BareDialog opened={current !== undefined} onClose={of.reset} title={t('common.stale_title')} size="lg">
      <Stack>
        <p>{t('common.stale_lead')}</p>
        <Table.ScrollContainer minWidth={320}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('common.stale_field')}</Table.Th>
                <Table.Th>{t('common.stale_yours')}</Table.Th>
                <Table.Th>{t('common.stale_theirs')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differing.map(({ name, label, show = asText }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{label}</Table.Th>
                  <Table.Td>{show(mine[name])}</Table.Td>
                  <Table.Td>{show(current?.[name])}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={choose(onTake)}>
            {t('common.stale_take')}
          </Button>
          <Button onClick={choose(onKeep)}>{t('common.stale_keep')}</Button>
        </Group>
      </Stack>
    </BareDialog>
  )
}

function asText(value: unknown): ReactNode {
  return <bdi>{typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)}</bdi>
}
