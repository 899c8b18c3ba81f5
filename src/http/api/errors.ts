import type { FailureKind } from '../../domain/failures.ts'
import { keyHint } from './auth.ts'
import { dashboardErrors } from './dashboard-errors.ts'
import type { ErrorRow, FailureOf } from './error-row.ts'
import { staffErrors } from './staff-errors.ts'

const invalidKey = 'Invalid or inactive API key'

const retryAfter = (seconds: number) => () => ({ 'retry-after': String(seconds) })

const orderUuid = (failure: { readonly order_uuid?: string }): object =>
  failure.order_uuid === undefined ? {} : { order_uuid: failure.order_uuid }

/** Every failure of the service: status, texts, headers. docs/spec/api.md#errors docs/spec/api.md#other-errors */
export const errorTable: { readonly [K in FailureKind]: ErrorRow<FailureOf<K>> } = {
  ...dashboardErrors,
  ...staffErrors,
  https_required: {
    status: 400,
    when: 'The connection, or the one in front of the proxy, was plain HTTP.',
    text: {
      en: 'HTTPS is required. Send the request again with https:// in the URL.',
      ar: 'يلزم استخدام HTTPS. أعد إرسال الطلب برابط يبدأ بـ https://.',
    },
  },
  invalid_api_key: {
    status: 400,
    when: 'The key is missing, unknown, revoked, switched off, of the other kind or of the other environment.',
    text: { en: invalidKey, ar: invalidKey },
    appended: keyHint,
  },
  merchant_not_verified: {
    status: 403,
    when: 'Earning, ratings and checkout, for a merchant that the operator has not verified.',
    text: {
      en: 'The merchant is not verified yet. Ask the program operator to verify it.',
      ar: 'لم يتم توثيق التاجر بعد. اطلب من مشغّل البرنامج توثيقه.',
    },
  },
  merchant_not_published: {
    status: 403,
    when: 'Earning, ratings and checkout, for a merchant that is not published.',
    text: {
      en: 'The merchant is not published. Ask the program operator to publish it.',
      ar: 'التاجر غير منشور. اطلب من مشغّل البرنامج نشره.',
    },
  },
  flow_disabled: {
    status: 403,
    when: 'Earning, ratings and checkout, where that flow is switched off for the merchant.',
    text: {
      en: 'This flow is switched off for the merchant. Ask the program operator to switch it on.',
      ar: 'هذه الخدمة موقوفة لهذا التاجر. اطلب من مشغّل البرنامج تفعيلها.',
    },
  },
  order_not_found: {
    status: 404,
    when: 'No order of the merchant has this uuid, or it is not a uuid.',
    text: {
      en: 'Order not found. Check the order uuid and that the key belongs to the same merchant.',
      ar: 'الطلب غير موجود. تحقق من معرّف الطلب (uuid) ومن أن المفتاح يخص التاجر نفسه.',
    },
  },
  webhook_not_found: {
    status: 404,
    when: 'No webhook of the merchant has this uuid, or it is not a uuid.',
    text: {
      en: 'Webhook not found. List the webhooks of the merchant to see their uuids.',
      ar: 'الويب هوك غير موجود. اعرض قائمة الويب هوك الخاصة بالتاجر لمعرفة معرّفاتها.',
    },
  },
  path_not_found: {
    status: 404,
    when: 'No endpoint has this path.',
    text: {
      en: 'Path not found. Check it against the API description at /api/openapi.json.',
      ar: 'المسار غير موجود. راجع وصف الواجهة على ‎/api/openapi.json.',
    },
  },
  method_not_allowed: {
    status: 405,
    when: 'The path exists, but not with this method; the `Allow` header lists those it has.',
    text: {
      en: 'Method not allowed on this path. Use one that the Allow header lists.',
      ar: 'طريقة الطلب غير مسموحة على هذا المسار. استخدم إحدى الطرق المذكورة في ترويسة Allow.',
    },
    headers: (failure) => ({ allow: failure.allow.join(', ') }),
  },
  malformed_request: {
    status: 400,
    when: 'What arrived is not valid HTTP: a broken request line, header, URL or length.',
    text: {
      en: 'The HTTP request is malformed. Check its URL, headers and length.',
      ar: 'طلب HTTP غير سليم. تحقق من الرابط والترويسات وطول المحتوى.',
    },
  },
  malformed_json: {
    status: 400,
    when: 'The body is not JSON, or not UTF-8.',
    text: {
      en: 'The body is not valid JSON. Send one JSON object, encoded in UTF-8.',
      ar: 'محتوى الطلب ليس JSON صالحًا. أرسل كائن JSON واحدًا بترميز UTF-8.',
    },
  },
  body_too_large: {
    status: 413,
    when: 'The body is over 1 MiB, or over 128 KiB where a checkout is opened.',
    text: {
      en: 'The body is too large. Send at most 1 MiB, and at most 128 KiB to open a checkout.',
      ar: 'محتوى الطلب كبير جدًا. الحد الأقصى 1 ميبيبايت، و128 كيبيبايت لبدء عملية دفع.',
    },
  },
  too_many_bodies: {
    status: 429,
    when: 'One address (of IPv6, one /56) has 4 bodies over 64 KiB under way; without a private key also: 64 over 8 KiB.',
    text: {
      en: 'Too many large requests from this address at once. Await their answers, then send this one again.',
      ar: 'طلبات كبيرة كثيرة من هذا العنوان في الوقت نفسه. انتظر الرد عليها ثم أعد إرسال هذا الطلب.',
    },
    headers: retryAfter(1),
  },
  bodies_exhausted: {
    status: 503,
    planned: true,
    when: 'All bodies over 8 KiB under way take the memory that there is for them. Smaller ones are not affected.',
    text: {
      en: 'Too many large requests are being received. Retry after a short wait, or send less at once.',
      ar: 'يجري استقبال طلبات كبيرة كثيرة. أعد المحاولة بعد قليل أو أرسل محتوى أصغر.',
    },
    headers: retryAfter(2),
  },
  headers_too_large: {
    status: 431,
    when: 'The request line and headers are over 16 KiB together.',
    text: {
      en: 'The request headers are too large. Send at most 16 KiB, URL included.',
      ar: 'ترويسات الطلب كبيرة جدًا. الحد الأقصى 16 كيبيبايت مع الرابط.',
    },
  },
  request_timeout: {
    status: 408,
    when: 'The request did not arrive whole in time: its headers within 10 seconds, its body within 10 more.',
    text: {
      en: 'The request did not arrive in time. Send it again, whole.',
      ar: 'لم يصل الطلب كاملًا في الوقت المحدد. أعد إرساله كاملًا.',
    },
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not `application/json`, or it is compressed.',
    text: {
      en: 'The content type is not supported. Send JSON, uncompressed, with Content-Type: application/json.',
      ar: 'نوع المحتوى غير مدعوم. أرسل JSON غير مضغوط مع الترويسة Content-Type: application/json.',
    },
  },
  form_refused: {
    status: 403,
    when: 'Hosted pages alone: a form that was not given to this browser, that comes from another site, or without cookies.',
    text: {
      en: 'The form was not accepted. Open its page again, with cookies allowed, and send it once more.',
      ar: 'لم يُقبل النموذج. افتح صفحته من جديد مع السماح بملفات تعريف الارتباط، ثم أرسله مرة أخرى.',
    },
  },
  validation: {
    status: 422,
    when: 'Fields of the body are missing or out of bounds; `errors` names all of them.',
    text: { en: 'The given data was invalid.', ar: 'البيانات المدخلة غير صالحة.' },
    appended: orderUuid,
  },
  earning_in_progress: {
    status: 429,
    when: 'Another earning or rating of the merchant is in progress.',
    text: {
      en: 'Another earning of this merchant is in progress. Send earnings one at a time and retry after a short wait.',
      ar: 'توجد عملية كسب أخرى قيد التنفيذ لهذا التاجر. أرسل العمليات واحدة تلو الأخرى وأعد المحاولة بعد قليل.',
    },
    headers: retryAfter(1),
  },
  order_number_repeated: {
    status: 429,
    when: 'The `order_number` was sent moments ago, within the lock window; `appended_data.order_uuid` names its order once it exists. An earning that waits for activation has none.',
    text: {
      en: 'This order number was sent moments ago. Await the answer to the first request; if its order exists, appended_data names it.',
      ar: 'أُرسل رقم الطلب هذا قبل لحظات. انتظر الرد على الطلب الأول؛ وإن أُنشئ طلبه فهو مذكور في appended_data.',
    },
    headers: (failure) => ({ 'retry-after': String(failure.retry_after_s) }),
    appended: orderUuid,
  },
  request_in_flight: {
    status: 409,
    when: 'The first request with this `Idempotency-Key` has not been answered yet.',
    text: {
      en: 'The first request with this Idempotency-Key is still in progress. Retry after a short wait.',
      ar: 'الطلب الأول بهذا المفتاح (Idempotency-Key) ما زال قيد التنفيذ. أعد المحاولة بعد قليل.',
    },
    headers: retryAfter(1),
  },
  too_many_checkouts: {
    status: 429,
    when:
      'Too many checkouts of the merchant were opened within an hour without the private key: from the address without a ' +
      'signature, or with this one signature.',
    text: {
      en: 'Too many checkouts were opened from this address or with this signature. Wait a while, then try again.',
      ar: 'فُتحت صفحات دفع كثيرة من هذا العنوان أو بهذا التوقيع. انتظر قليلًا، ثم أعد المحاولة.',
    },
    headers: (failure) => ({ 'retry-after': String(failure.retry_after_s) }),
  },
  order_already_paid: {
    status: 400,
    when: '`complete` on an order that is approved or captured: nothing is left to do.',
    text: {
      en: 'Order already fully paid',
      ar: 'الطلب مدفوع بالكامل',
    },
  },
  not_a_replacing_order: {
    status: 400,
    when: '`complete` on an earning order: it is approved when it is created.',
    text: {
      en: 'Only replacing orders can be completed',
      ar: 'لا يمكن إكمال سوى طلبات الاستبدال',
    },
  },
  cannot_complete: {
    status: 400,
    when: '`complete` on an order that is authorized (capture it), cancelled or refunded.',
    text: {
      en: 'Order cannot be completed',
      ar: 'لا يمكن إكمال الطلب',
    },
  },
  cannot_authorize: {
    status: 400,
    when: '`authorize` on an order that is not new.',
    text: {
      en: 'Order cannot be authorized',
      ar: 'لا يمكن حجز مبلغ الطلب',
    },
  },
  cannot_capture: {
    status: 400,
    when: '`capture` on an order that is not authorized: authorize it first.',
    text: {
      en: 'Order cannot be captured',
      ar: 'لا يمكن تحصيل مبلغ الطلب',
    },
  },
  cannot_cancel: {
    status: 400,
    when: '`cancel` on an order that is neither new nor authorized: refund one that is paid.',
    text: {
      en: 'Order cannot be cancelled',
      ar: 'لا يمكن إلغاء الطلب',
    },
  },
  cannot_refund: {
    status: 400,
    when: '`refund` on an order that is not approved, captured or partially refunded: cancel one that is not paid.',
    text: {
      en: 'Order cannot be refunded',
      ar: 'لا يمكن استرداد مبلغ الطلب',
    },
  },
  refund_window_over: {
    status: 400,
    when: '`refund` after the refund window of the merchant.',
    text: {
      en: 'The refund window of this order is over. Settle the refund with the customer directly.',
      ar: 'انتهت مهلة استرداد هذا الطلب. سوِّ الاسترداد مع العميل مباشرة.',
    },
  },
  order_settled: {
    status: 400,
    when: '`refund` on an order that a closed settlement contains.',
    text: {
      en: 'Order already settled and cannot be refunded. Ask the program operator about it.',
      ar: 'تمت تسوية الطلب ولا يمكن استرداد مبلغه. تواصل مع مشغّل البرنامج.',
    },
  },
  refund_exceeds_left: {
    status: 400,
    when: '`refund` of more than is left of the order.',
    text: {
      en: 'The amount is more than what is left to refund. Send less, or no amount to refund all that is left.',
      ar: 'المبلغ أكبر من المتبقي القابل للاسترداد. أرسل مبلغًا أقل، أو لا ترسل مبلغًا لاسترداد كل المتبقي.',
    },
  },
  refund_exceeds_wallet: {
    status: 400,
    when: "`refund` whose points would bring the customer's wallet beyond 4,000,000,000,000,000, above or below zero.",
    text: {
      en: "The refund would bring the customer's wallet beyond the most points it can hold. Settle it with the customer directly.",
      ar: 'سيتجاوز هذا الاسترداد الحد الأقصى لنقاط محفظة العميل. سوِّ الاسترداد مع العميل مباشرة.',
    },
  },
  refund_amount_zero: {
    status: 400,
    when: '`refund` of 0, on an order whose total is not 0.',
    text: {
      en: 'The amount must be more than 0. Send no amount to refund all that is left.',
      ar: 'يجب أن يكون المبلغ أكبر من صفر. لا ترسل مبلغًا لاسترداد كل المتبقي.',
    },
  },
  insufficient_points: {
    status: 400,
    when: 'The wallet no longer has the points that the order was to redeem.',
    text: {
      en: 'The customer does not have enough points. Start a new checkout with fewer points.',
      ar: 'نقاط العميل غير كافية. ابدأ عملية دفع جديدة بنقاط أقل.',
    },
  },
  database_unavailable: {
    status: 503,
    when: 'The database is out of reach or read-only.',
    text: {
      en: 'The service is temporarily unavailable. Retry after a short wait; an earning may be sent again safely.',
      ar: 'الخدمة غير متاحة مؤقتًا. أعد المحاولة بعد قليل؛ إعادة إرسال عملية الكسب آمنة.',
    },
    headers: retryAfter(2),
  },
  stopping: {
    status: 503,
    planned: true,
    when: '`/readyz` alone: the process is shutting down.',
    text: {
      en: 'The service is stopping. Send requests to another instance.',
      ar: 'الخدمة قيد الإيقاف. أرسل الطلبات إلى نسخة أخرى.',
    },
    headers: retryAfter(5),
  },
  unexpected: {
    status: 500,
    when: 'Something that should not happen; the log has the cause under the `X-Request-Id`.',
    text: {
      en: 'Something went wrong on our side. Retry, and if it happens again report the X-Request-Id header.',
      ar: 'حدث خطأ غير متوقع لدينا. أعد المحاولة، وإن تكرر فأبلغنا بقيمة الترويسة X-Request-Id.',
    },
  },
}
