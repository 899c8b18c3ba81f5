import { Button, Group, Modal, Stack, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import type { Submit } from './use-submit.ts'

export interface EditedField {
  readonly name: string
  readonly label: string
  /** How a value is shown; by default as text. */
  readonly show?: (value: unknown) => ReactNode
}

/**
 * Opens when an edit was refused because somebody else saved first (409 `stale`). Shows what differs, and lets the person
 * keep their values or take the saved ones.
 */
export function StaleDialog<Values extends Readonly<Record<string, unknown>>>({
  of,
  mine,
  fields,
  onKeep,
  onTake,
}: {
  of: Pick<Submit<never>, 'failure' | 'reset'>
  mine: Values
  fields: readonly EditedField[]
  /** Gets what is saved now, with its `version`, to send the edit again on top of it. */
  onKeep: (current: Values & { readonly version: string }) => void
  /** Gets what is saved now, to show it in the form. */
  onTake: (current: Values & { readonly version: string }) => void
}) {
  const { t } = useTexts()
  const current = of.failure?.current as (Values & { readonly version: string }) | undefined
  const differing = fields.filter(({ name }) => JSON.stringify(current?.[name]) !== JSON.stringify(mine[name]))
  const choose = (act: typeof onKeep) => () => {
    of.reset()
    if (current !== undefined) act(current)
  }
  return (
    <Modal
      opened={current !== undefined}
      onClose={of.reset}
      title={t('common.stale_title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('frame.close') }}
    >
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
    </Modal>
  )
}

function asText(value: unknown): ReactNode {
  return <bdi>{typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)}</bdi>
}
