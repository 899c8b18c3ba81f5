import { Button, Stack, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { nameIn } from '../../app/names.ts'
import { useProgram } from '../../app/program.ts'
import { Facts } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Money, Points } from '../../parts/money.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { OrNone } from '../../parts/value.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Finding } from './finding.ts'

/** One finding: its facts, a note, and whether it is handled. */
export function FindingDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const texts = useTexts()
  const { t } = texts
  const { programId } = useProgram()
  const [note, setNote] = useState(finding.note ?? '')
  const findingUuid = finding.finding_uuid
  const of = useSubmit<{ version: string; note: string | null; handled?: boolean }>({
    send: (body) =>
      send('patch', '/programs/{programId}/findings/{findingUuid}', {
        params: { path: { programId, findingUuid } },
        body,
      }),
    done(_, { handled }) {
      if (handled === undefined) notifyDone(t('common.saved'))
      else notifyDone(t(handled ? 'findings.handled_now' : 'findings.opened_again'))
      onClose()
    },
    stale: ['/programs/{programId}/findings', '/programs/{programId}/overview'],
  })
  // After a refusal, show the finding as it is now: a provider may have refused more meanwhile.
  const shown = { ...finding, ...(of.failure?.current as Partial<Finding> | undefined) }
  const { state, version } = shown
  const text = note.trim() === '' ? null : note.trim()
  const saveNote = () => of.submit({ version, note: text })
  // A finding that resolved by itself would do so again.
  const canMove = state !== 'resolved'
  return (
    <Dialog opened size="lg" onClose={onClose} title={t(`findings.kind_${finding.kind}`)}>
      <Stack>
        <p>{t(`findings.means_${finding.kind}`)}</p>
        <Facts rows={factsOf(shown, texts)} />
        <Form
          of={of}
          onSubmit={() => (canMove ? of.submit({ version, note: text, handled: state === 'open' }) : saveNote())}
          label={t(canMove ? (state === 'open' ? 'findings.handle' : 'findings.open_again') : 'findings.save_note')}
          aside={
            canMove && text !== shown.note ? (
              <Button variant="default" onClick={saveNote} disabled={of.pending}>
                {t('findings.save_note')}
              </Button>
            ) : undefined
          }
        >
          <Textarea
            label={t('findings.note')}
            description={t('findings.note_hint')}
            autosize
            minRows={2}
            maxLength={1000}
            value={note}
            error={of.fieldError('note')}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </Form>
      </Stack>
    </Dialog>
  )
}

function factsOf(finding: Finding, { t, locale }: Pick<ReturnType<typeof useTexts>, 't' | 'locale'>) {
  const { order, merchant, reversal, provider, provider_reference, detail, changed_by, changed_at } = finding
  const to = merchantPath(String(merchant.merchant_id), `orders/${order.uuid}`)
  const back = reversal && (
    <span>
      <Money sar={reversal.refund_amount} /> · <Points count={reversal.returned_points} />
    </span>
  )
  return [
    { label: t('findings.order'), value: <Link to={to}>{order.order_number || order.reference_number}</Link> },
    { label: t('findings.merchant'), value: <bdi>{nameIn(merchant, locale)}</bdi> },
    { label: t('findings.amount'), value: <Money sar={finding.amount} /> },
    { label: t('findings.provider'), value: provider },
    {
      label: t('findings.provider_reference'),
      value: (
        <OrNone>
          {provider_reference && <Copyable value={provider_reference} what={t('findings.provider_reference')} />}
        </OrNone>
      ),
    },
    { label: t('findings.said'), value: <bdi dir="ltr">{detail}</bdi> },
    { label: t('findings.done'), value: t(`findings.done_${finding.action}`) },
    ...(back === null ? [] : [{ label: t('findings.given_back'), value: back }]),
    { label: t('findings.found_at'), value: <Time at={finding.found_at} /> },
    { label: t('findings.seen_at'), value: <Time at={finding.seen_at} /> },
    ...(changed_by === null || changed_at === null
      ? []
      : [
          {
            label: t('findings.changed_by'),
            value: (
              <span>
                <bdi>{changed_by}</bdi> · <Time at={changed_at} />
              </span>
            ),
          },
        ]),
  ]
}
