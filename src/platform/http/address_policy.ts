/** The effects of network rules, mildest first. */
export const SEVERITIES = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const

/** The restriction on people from a network. */
export type Severity = (typeof SEVERITIES)[number]

/** The rules about a client's network. Moderation implements it. */
export interface AddressPolicy {
  /** Whether there is any rule; if not, addresses need not be looked up. */
  readonly any: boolean
  /** The severest rule for an address; undefined when there is none. */
  severityOf(address: string): Severity | undefined
  /** Resolves when the rules that this process has changed are in effect. */
  settled(): Promise<void>
}
