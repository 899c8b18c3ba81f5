import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './checklist.module.css'
import { Snippet } from './snippet.tsx'
import { type Step, steps } from './steps.ts'

type Item = DataOf<'/merchants/{merchantId}/checklist', 'get'>[number]

/** The steps of an integration. Each ticks itself once it has really happened. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const params = { path: { merchantId } }
  const { data } = useQuery({ ...ask('/merchants/{merchantId}/checklist', { params }), refetchInterval: 10_000 })
  const { data: keys } = useQuery(ask('/merchants/{merchantId}/keys', { params }))
  const done = data?.filter((one) => one.done).length ?? 0
  return (
    <>
      <PageHeader
        title={t('checklist.name')}
        lead={
          data === undefined
            ? t('checklist.lead')
            : `${t('checklist.lead')} ${t('checklist.progress', { count: done, all: data.length })}`
        }
      />
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepRow
            key={step.item}
            step={step}
            item={keys && data?.find(({ item }) => item === step.item)}
            public_key={keys?.public_key ?? ''}
          />
        ))}
      </ol>
    </>
  )
}

function StepRow({ step, item, public_key }: { step: Step; item: Item | undefined; public_key: string }) {
  const { t } = useTexts()
  const { name } = useMerchant()
  if (item === undefined) return <Skeleton component="li" height={76} />
  return (
    <li className={classes.step} data-done={item.done}>
      <span className={classes.tick}>{item.done ? <Icon name="check" size={18} /> : null}</span>
      <div className={classes.words}>
        <h2 className={classes.title}>
          {t(`checklist.${item.item}`)}
          <span className="visually-hidden">: {t(item.done ? 'checklist.done' : 'checklist.open')}</span>
        </h2>
        {item.done ? <p className={classes.hint}>{item.at === null ? null : <DoneAt at={item.at} />}</p> : null}
        {item.done ? null : (
          <>
            <p className={classes.hint}>{t(`checklist.${item.item}_hint`, { merchant: name })}</p>
            {step.snippet === undefined ? null : <Snippet text={step.snippet(location.origin, public_key)} />}
            {step.page === undefined ? null : (
              <p className={classes.hint}>
                <PageLink to={step.page}>{t(`checklist.to_${step.pageName}`)}</PageLink>
              </p>
            )}
          </>
        )}
      </div>
    </li>
  )
}

/** An instant, or a day where no more is known. */
function DoneAt({ at }: { at: string }) {
  const { t, format } = useTexts()
  const when = at.length === 10 ? format.date(`${at}T12:00:00Z`) : <Time at={at} />
  return t.rich('checklist.done_at', { when })
}
