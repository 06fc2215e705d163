import { finding } from '../proof.ts';
import { column, type Keys, RepeatingClients, storedOnce, type Workload } from './workload.ts';

/** Reports of new sales, of unknown sessions, and restatements of one order per client. */
export function conversionsWorkload({ token }: Keys): Workload {
  const sales = new Set<string>();
  const unmatched = new Set<string>();
  const orders = new Map<string, number>();
  const wrong: string[] = [];
  const clients = new RepeatingClients(
    (client, n) => {
      const request = 'POST /v1/analytics/report-conversion';
      const options = (body: object) => ({ token, body: { currency: 'EUR', value: n, ...body } });
      if (n % 3 === 0) return { name: `sale-${n}`, request, options: options({ gclid: 'ad', eventId: `sale-${n}` }) };
      if (n % 3 === 1) return { name: `unmatched-${n}`, request, options: options({ gclid: `unmatched-${n}` }) };
      const eventId = `order-${client}`;
      return { name: `${eventId} ${n}`, request, options: options({ gclid: 'ad', eventId }) };
    },
    (name, { body }) => {
      const [order = '', value] = name.split(' ');
      if (body.status !== (name.startsWith('unmatched') ? 'unmatched' : 'reported')) wrong.push(name);
      if (value !== undefined) orders.set(order, Number(value));
      else (name.startsWith('sale') ? sales : unmatched).add(name);
    },
  );
  return {
    name: 'conversions',
    step: (service, client) => clients.step(service, client),
    async check(db) {
      const storedSales = await column(db, "select event_id from conversions where event_id like 'sale-%'");
      const storedUnmatched = await column(db, "select identifier->>'gclid' from unmatched_conversions");
      const storedOrders = await column(
        db,
        "select event_id || ' ' || value::float8 from conversions where event_id like 'order-%'",
      );
      const expected = new Set([...orders].map(([order, value]) => `${order} ${value}`));
      const isPossible = (order: string) => expected.has(order) || clients.unknown.includes(order);
      const stale = storedOrders.filter((order) => !isPossible(order));
      return [
        finding('every report has its status', `${wrong.length} others`, wrong.length === 0),
        storedOnce('sales', sales, clients.unknown, storedSales),
        storedOnce('unmatched reports', unmatched, clients.unknown, storedUnmatched),
        finding(
          'an order has the value last acknowledged',
          `${orders.size} orders, ${storedOrders.length} conversions, ${stale.length} others`,
          orders.size > 0 && orders.size === storedOrders.length && stale.length === 0,
        ),
      ];
    },
  };
}
