/** What rules about networks can say, the mildest first. */
export const SEVERITIES = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const

/** What people from a network may not do. */
export type Severity = (typeof SEVERITIES)[number]

/** What the rules about networks say of a client's address. Moderation implements it. */
export interface AddressPolicy {
  /** Whether there is any rule; where there is none no address needs to be found out. */
  readonly any: boolean
  /** The severest rule about an address; undefined when there is none. */
  severityOf(address: string): Severity | undefined
}
