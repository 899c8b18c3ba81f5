import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePaging } from '../../parts/paging.ts'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ChangeOf } from './change-of.tsx'
import { type Proposal, proposals_path } from './proposal.ts'
import classes from './proposals.module.css'

interface Asked {
  readonly proposal: Proposal
  readonly decision: 'confirm' | 'reject'
}

/** What waits for a second person, and what became of it. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(['state'] as const)
  const paging = usePaging()
  const [asked, setAsked] = useState<Asked>()
  const client = useQueryClient()
  const close = () => {
    setAsked(undefined)
    // What was refused may have been decided by somebody else.
    void client.invalidateQueries({ queryKey: [proposals_path] })
  }
  const state = filters.values.state === 'open' ? { state: 'open' as const } : {}
  const query = useQuery(
    askForList(proposals_path, { params: { path: { programId }, query: { ...state, ...paging.query } } }),
  )
  return (
    <>
      <PageHeader title={t('proposals.name')} lead={t('proposals.lead')} />
      <FilterBar
        of={filters}
        filters={[
          {
            ...{ name: 'state', label: t('proposals.state'), kind: 'choice' },
            options: [{ value: 'open', label: t('proposals.only_open') }],
          },
        ]}
      />
      <DataTable
        label={t('proposals.name')}
        query={query}
        columns={useColumns(setAsked)}
        rowKey={({ proposal_uuid }) => proposal_uuid}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="proposals" title={t('proposals.none')} lesson={t('proposals.none_lesson')} />}
      />
      {asked === undefined ? null : <Decide asked={asked} onClose={close} />}
    </>
  )
}

function useColumns(ask: (asked: Asked) => void): readonly Column<Proposal>[] {
  const { t } = useTexts()
  return [
    {
      ...{ name: 'change', header: t('proposals.change'), title: true },
      cell: (proposal) => <ChangeOf of={proposal} />,
    },
    { name: 'by', header: t('proposals.by'), cell: ({ proposed_by }) => <Person name={proposed_by} /> },
    { name: 'at', header: t('proposals.at'), cell: ({ created_at }) => <Time at={created_at} /> },
    {
      ...{ name: 'state', header: t('proposals.state') },
      cell: ({ state }) => <StatusBadge status={`proposal_${state}`} />,
    },
    {
      ...{ name: 'decide', header: t('proposals.decision') },
      cell: (proposal) =>
        proposal.state === 'open' ? (
          <Group gap="xs">
            {proposal.own ? null : (
              <Button size="compact-sm" onClick={() => ask({ proposal, decision: 'confirm' })}>
                {t('proposals.confirm')}
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={() => ask({ proposal, decision: 'reject' })}>
              {t(proposal.own ? 'proposals.withdraw' : 'proposals.reject')}
            </Button>
          </Group>
        ) : (
          <Person name={proposal.decided_by ?? '–'} />
        ),
    },
  ]
}

/** A long address breaks where its place is too narrow for it. */
function Person({ name }: { name: string }) {
  return <bdi className={classes.person}>{name}</bdi>
}

/** Asks once more, with what will happen. */
function Decide({ asked: { proposal, decision }, onClose }: { asked: Asked; onClose: () => void }) {
  const { t } = useTexts()
  const { programId } = useProgram()
  const params = { path: { programId, proposalUuid: proposal.proposal_uuid } }
  const of = useSubmit({
    send: () =>
      decision === 'confirm'
        ? send('post', `${proposals_path}/{proposalUuid}/confirm`, { params })
        : send('post', `${proposals_path}/{proposalUuid}/reject`, { params }),
    done() {
      notifyDone(t(decision === 'confirm' ? 'proposals.confirmed' : 'proposals.rejected'))
      onClose()
    },
    stale: [proposals_path, '/programs/{programId}/rates', '/programs/{programId}/settings'],
  })
  const verb = decision === 'confirm' ? 'confirm' : proposal.own ? 'withdraw' : 'reject'
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t(`proposals.${verb}_title`)}
      label={t(`proposals.${verb}`)}
      of={of}
      danger={decision === 'reject'}
      onConfirm={() => of.submit()}
    >
      <p>{t(decision === 'confirm' ? 'proposals.confirm_lead' : 'proposals.reject_lead')}</p>
      <ChangeOf of={proposal} />
    </ConfirmDialog>
  )
}
