import ipaddr from 'ipaddr.js'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Severity } from '../../platform/http/address_policy.ts'

const add = query(
  'moderation/ip_blocks/add',
  { ip: c.text, severity: c.text, comment: c.text, expires_at: c.nullable(c.timestamp), replaces: c.boolean },
  { stored: c.boolean, events: c.events },
)
const remove = query(
  'moderation/ip_blocks/remove',
  { ip: c.text, covering: c.boolean },
  { removed: c.integer, events: c.events },
)

/**
 * Whether a text is an address or a network, such as `192.0.2.1`, `192.0.2.0/24` or
 * `2001:db8::/32`.
 */
export const isNetwork = (text: string): boolean =>
  text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)

/**
 * Adds a rule about a network; every process is notified.
 * @returns false if there is one that must not be replaced
 */
export async function addIpBlock(
  runner: Runner,
  ip: string,
  rule: { severity: Severity; comment?: string; expiresAt?: Date | null; replaces?: boolean },
): Promise<boolean> {
  const added = await runner.one(add, {
    ip,
    severity: rule.severity,
    comment: rule.comment ?? '',
    expires_at: rule.expiresAt ?? null,
    replaces: rule.replaces ?? false,
  })
  return added?.stored === true
}

/**
 * Removes the rule about a network, with `covering` also those about networks that contain it;
 * returns their number.
 */
export const removeIpBlock = async (runner: Runner, ip: string, covering = false): Promise<number> =>
  (await runner.one(remove, { ip, covering }))?.removed ?? 0
