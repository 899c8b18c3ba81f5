import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { one_page } from '../team/team.ts'
import type { Asked, Operator } from './operator.ts'

const Dialogs = later(() => import('./dialogs.tsx'), 'Dialogs')

/** Who runs the service. */
export function Page() {
  const { t } = useTexts()
  const [asked, setAsked] = useState<Asked>()
  const { data } = useQuery(ask('/operator/people'))
  const rows = data === undefined ? undefined : { rows: data, next: null }
  return (
    <>
      <PageHeader
        title={t('operators.name')}
        lead={t('operators.lead')}
        actions={
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAsked({ does: 'create' })}>
            {t('operators.create')}
          </Button>
        }
      />
      <DataTable
        label={t('operators.name')}
        query={{ data: rows, isPlaceholderData: false }}
        columns={columnsOf(t, setAsked)}
        rowKey={({ staff_uuid }) => staff_uuid}
        paging={one_page}
        empty={<EmptyState icon="team" title={t('operators.name')} lesson={t('operators.lead')} />}
      />
      {asked === undefined ? null : (
        <Suspense>
          <Dialogs asked={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function columnsOf(t: Translate, onAsk: (asked: Asked) => void): readonly Column<Operator>[] {
  return [
    {
      ...{ name: 'name', header: t('team.person'), title: true },
      cell: ({ name, email }) => (
        <span>
          <bdi>{name}</bdi>
          {name === email ? null : (
            <>
              {' · '}
              <bdi>{email}</bdi>
            </>
          )}
        </span>
      ),
    },
    {
      ...{ name: 'state', header: t('operators.state') },
      cell: ({ disabled }) => (
        <Badge tone={disabled ? 'bad' : 'good'}>{t(disabled ? 'operators.disabled' : 'operators.enabled')}</Badge>
      ),
    },
    {
      ...{ name: 'factor', header: t('team.second_factor') },
      cell: ({ second_factor }) => (
        <Badge tone={second_factor ? 'good' : 'warn'}>{t(second_factor ? 'team.factor_on' : 'team.factor_off')}</Badge>
      ),
    },
    {
      ...{ name: 'seen', header: t('team.last_seen') },
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? t('team.never_seen') : <Time at={last_seen_at} style="ago" />,
    },
    {
      ...{ name: 'actions', header: t('team.actions'), numeric: true },
      cell: (operator) => (operator.you ? t('operators.you') : <Actions operator={operator} onAsk={onAsk} />),
    },
  ]
}

function Actions({ operator, onAsk }: { operator: Operator; onAsk: (asked: Asked) => void }) {
  const { t } = useTexts()
  const does = t(operator.disabled ? 'operators.enable' : 'operators.disable')
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t('operators.recover')}: ${operator.name}`}
        onClick={() => onAsk({ does: 'recover', operator })}
      >
        {t('operators.recover')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${does}: ${operator.name}`}
        onClick={() => onAsk({ does: 'switch', operator })}
      >
        {does}
      </Button>
    </Group>
  )
}
