import { Button, Group, Stack, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { BareDialog } from './bare-dialog.tsx'
import type { Versioned } from './use-draft.ts'
import type { Submit } from './use-submit.ts'

export interface EditedField {
  readonly name: string
  readonly label: string
  /** How a value is shown; by default as text. */
  readonly show?: (value: unknown) => ReactNode
}

type Saved = Readonly<Record<string, unknown>> & Versioned

export interface StaleProps {
  of: Pick<Submit<never>, 'failure' | 'reset'>
  /** The values that were not saved. */
  mine: object
  fields: readonly EditedField[]
  /** Gets what is saved now, with its `version`, to send the edit again on top of it. */
  onKeep: (current: Versioned) => void
  /** Gets what is saved now, to show it in the form. */
  onTake: (current: Saved) => void
}

/** What differs from what somebody else saved first. */
export function StaleDifference({ of, mine, fields, onKeep, onTake }: StaleProps) {
  const { t } = useTexts()
  const current = of.failure?.current as Saved | undefined
  const own: Readonly<Record<string, unknown>> = { ...mine }
  const differing = fields.filter(({ name }) => JSON.stringify(current?.[name]) !== JSON.stringify(own[name]))
  const choose = (act: typeof onTake) => () => {
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
                  <Table.Td>{show(own[name])}</Table.Td>
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
