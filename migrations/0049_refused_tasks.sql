-- A task that its provider has refused for good is a finding now, so that an operator can say that it is handled. Those from before
-- become findings here. An index leads to them, and nobody waits for this. The refused refunds of a payment are one finding.
insert into reconciliation_finding (program_id, finding_uuid, merchant_id, order_uuid, payment_uuid, provider, provider_reference,
  amount_halalas, kind, action, detail, times, found_at, seen_at)
select t.program_id, (array_agg(t.task_uuid order by t.task_uuid))[1], o.merchant_id, p.order_uuid, p.payment_uuid, p.provider,
  p.provider_reference, sum(t.amount_halalas), t.kind || '_refused', 'none', left(coalesce(max(t.error), ''), 500), count(*),
  min(t.ended_at), max(t.ended_at)
from payment_task t
join order_payment p on p.program_id = t.program_id and p.payment_uuid = t.payment_uuid
join orders o on o.program_id = p.program_id and o.order_uuid = p.order_uuid
where t.state = 'refused'
group by t.program_id, p.program_id, p.payment_uuid, o.merchant_id, p.order_uuid, p.provider, p.provider_reference, t.kind
on conflict (program_id, payment_uuid, kind) do nothing;
