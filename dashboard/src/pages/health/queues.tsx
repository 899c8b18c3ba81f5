import { Link } from '@tanstack/react-router'
import { nameIn } from '../../app/names.ts'
import { Card } from '../../parts/card.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Health } from './concerns.ts'
import classes from './health.module.css'
import { spanText } from './units.ts'

/** The merchants whose deliveries wait longest, or have failed. */
export function Merchants({ merchants }: { merchants: Health['deliveries']['merchants'] }) {
  const { t, format, locale } = useTexts()
  return (
    <Card title={t('health.by_merchant')} lead={t('health.by_merchant_lead')}>
      {merchants.length === 0 ? (
        <p className={classes.soft}>{t('health.by_merchant_none')}</p>
      ) : (
        <ul className={classes.rows}>
          {merchants.map(({ merchant_id, name, name_ar, due, oldest_due_s, failed }) => (
            <li key={merchant_id}>
              <span className={classes.grow}>
                <Link to={merchantPath(String(merchant_id), 'deliveries')}>
                  <bdi>{nameIn({ name, name_ar }, locale)}</bdi>
                </Link>
              </span>
              {due === 0 ? null : (
                <span>
                  {t('health.due', { count: due, number: format.number(due) })} · {spanText(locale, oldest_due_s)}
                </span>
              )}
              {failed === 0 ? null : (
                <span className={classes.bad}>
                  {t('health.failed', { count: failed, number: format.number(failed) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
