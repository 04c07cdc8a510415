import { Channel, type Subscription } from './channel.ts'

/** The channels that have readers. */
export interface OpenChannels<R> {
  get(family: string, name: string): Channel<R> | undefined
  /** All channels of a family, such as every account's `user` channel. */
  all(family: string): Iterable<Channel<R>>
  has(family: string): boolean
}

/** The open channels of a server process, created and removed with their readers. */
export class ChannelIndex<R> implements OpenChannels<R> {
  readonly #families = new Map<string, Map<string, Channel<R>>>()
  #subscriptions = 0

  /** The number of readers. */
  get subscriptions(): number {
    return this.#subscriptions
  }

  /** The number of channels. */
  get size(): number {
    let size = 0
    for (const named of this.#families.values()) size += named.size
    return size
  }

  get(family: string, name: string): Channel<R> | undefined {
    return this.#families.get(family)?.get(name)
  }

  all(family: string): Iterable<Channel<R>> {
    return this.#families.get(family)?.values() ?? []
  }

  has(family: string): boolean {
    return this.#families.has(family)
  }

  /** Adds a reader to a channel, which is created for the first reader. */
  join(family: string, name: string, joining: Subscription<R>): void {
    const named = this.#families.get(family) ?? new Map<string, Channel<R>>()
    const channel = named.get(name) ?? new Channel<R>(family, name)
    channel.add(joining)
    named.set(name, channel)
    this.#families.set(family, named)
    this.#subscriptions += 1
  }

  /** Removes a reader, and the channel with the last one. */
  leave(family: string, name: string, leaving: Subscription<R>): void {
    const named = this.#families.get(family)
    const channel = named?.get(name)
    if (!named || !channel) return
    this.#subscriptions -= channel.size
    channel.remove(leaving)
    this.#subscriptions += channel.size
    if (channel.size > 0) return
    named.delete(name)
    if (named.size === 0) this.#families.delete(family)
  }
}
