/** A document as activitypub-express stores it: JSON-LD, expanded, with `_meta` for itself. */
export type Stored = Record<string, unknown> & { id: string; _meta?: Record<string, unknown> }

interface Delivery {
  readonly address: string
  readonly actorId: string
  readonly signingKey: string
  readonly body: string
  attempt: number
  after: Date
}

type Context = { readonly documentUrl: string; document: unknown }

const withoutMeta = ({ _meta, ...others }: Stored): Stored => others

const RETRY_MS = 100

/**
 * What activitypub-express stores in MongoDB, in memory: its documented interface for other stores
 * (`store/interface.js` of the package).
 */
export class MemoryStore {
  readonly #objects = new Map<string, Stored>()
  readonly #activities: Stored[] = []
  readonly #contexts = new Map<string, Context>()
  readonly #deliveries: Delivery[] = []
  #ids = 0

  /** @param contexts JSON-LD contexts that are known from the start, by their URLs */
  constructor(contexts: Readonly<Record<string, unknown>>) {
    for (const [documentUrl, document] of Object.entries(contexts))
      this.#contexts.set(documentUrl, { documentUrl, document })
  }

  setup = (): Promise<void> => Promise.resolve()

  generateId = (): string => `a${(this.#ids += 1)}`

  getUserCount = (): Promise<number> => Promise.resolve(this.#objects.size)

  getObject = (id: string, includeMeta?: boolean): Promise<Stored | null> =>
    Promise.resolve(this.#copy(this.#objects.get(id), includeMeta))

  saveObject = (object: Stored): Promise<boolean> => {
    if (this.#objects.has(object.id)) return Promise.resolve(false)
    this.#objects.set(object.id, structuredClone(object))
    return Promise.resolve(true)
  }

  updateObject = (object: Stored, _actor: unknown, isWhole?: boolean): Promise<Stored | undefined> => {
    const stored = this.#objects.get(object.id)
    if (!stored) return Promise.resolve(undefined)
    const updated = isWhole ? structuredClone(object) : { ...stored, ...structuredClone(object) }
    this.#objects.set(object.id, updated)
    for (const activity of this.#activities) {
      const { object: embedded } = activity
      if (Array.isArray(embedded))
        activity['object'] = embedded.map((one: unknown) => (isStored(one) && one.id === object.id ? updated : one))
    }
    return Promise.resolve(structuredClone(updated))
  }

  getActivity = (id: string, includeMeta?: boolean): Promise<Stored | null> =>
    Promise.resolve(this.#copy(this.#find(id), includeMeta))

  saveActivity = (activity: Stored): Promise<boolean | undefined> => {
    if (this.#find(activity.id)) return Promise.resolve(undefined)
    this.#activities.push(structuredClone(activity))
    return Promise.resolve(true)
  }

  removeActivity = ({ id }: Stored, actorId: string): Promise<void> => {
    const at = this.#activities.findIndex(
      one => one.id === id && Array.isArray(one['actor']) && one['actor'][0] === actorId,
    )
    if (at !== -1) this.#activities.splice(at, 1)
    return Promise.resolve()
  }

  updateActivity = (activity: Stored, isWhole?: boolean): Promise<Stored> => {
    const at = this.#activities.findIndex(one => one.id === activity.id)
    const stored = this.#activities[at]
    if (!stored) return Promise.resolve(activity)
    const updated = isWhole ? structuredClone(activity) : { ...stored, ...structuredClone(activity) }
    this.#activities[at] = updated
    return Promise.resolve(structuredClone(updated))
  }

  updateActivityMeta = ({ id }: Stored, key: string, value: unknown, isRemoved?: boolean): Promise<Stored> => {
    const stored = this.#find(id)
    if (!stored) return Promise.reject(new Error('Error updating activity meta: not found'))
    const meta = (stored._meta ??= {})
    const values = Array.isArray(meta[key]) ? (meta[key] as unknown[]) : []
    meta[key] = [...values.filter(one => one !== value), ...(isRemoved ? [] : [value])]
    return Promise.resolve(structuredClone(stored))
  }

  findActivityByCollectionAndObjectId = (
    collection: string,
    id: string,
    includeMeta?: boolean,
  ): Promise<Stored | null> =>
    Promise.resolve(
      this.#copy(
        this.#inCollection(collection).find(one => has(one['object'], id)),
        includeMeta,
      ),
    )

  findActivityByCollectionAndActorId = (
    collection: string,
    id: string,
    includeMeta?: boolean,
  ): Promise<Stored | null> =>
    Promise.resolve(
      this.#copy(
        this.#inCollection(collection).find(one => has(one['actor'], id)),
        includeMeta,
      ),
    )

  getStreamCount = (collection: string): Promise<number> => Promise.resolve(this.#inCollection(collection).length)

  /** Activities of a collection with their actors in full, newest first. */
  getStream = (
    collection: string,
    limit: number | null,
    after?: string | null,
    blocked: string[] = [],
  ): Promise<Stored[]> => {
    const newest = this.#inCollection(collection).toReversed()
    const from = after ? newest.findIndex(one => one.id === after) + 1 : 0
    const page = newest
      .filter(one => !blocked.some(id => has(one['actor'], id)))
      .slice(from, limit ? from + limit : undefined)
    return Promise.resolve(
      page.flatMap(one => {
        const actors = [one['actor']].flat().flatMap(id => this.#objects.get(String(id)) ?? [])
        return actors.length === 0 ? [] : [{ ...withoutMeta(one), actor: actors.map(withoutMeta), _id: one.id }]
      }),
    )
  }

  getContext = (documentUrl: string): Promise<Context | null> =>
    Promise.resolve(this.#contexts.get(documentUrl) ?? null)

  saveContext = (context: Context): Promise<void> => {
    this.#contexts.set(context.documentUrl, context)
    return Promise.resolve()
  }

  deliveryEnqueue = (
    actorId: string,
    body: string,
    addresses: string | string[],
    signingKey: string,
  ): Promise<true> => {
    for (const address of [addresses].flat())
      this.#deliveries.push({ address, actorId, signingKey, body, attempt: 0, after: new Date() })
    return Promise.resolve(true)
  }

  deliveryDequeue = (): Promise<Delivery | { waitUntil: Date } | null> => {
    const now = Date.now()
    const at = this.#deliveries.findIndex(({ after }) => after.getTime() <= now)
    const [due] = at === -1 ? [] : this.#deliveries.splice(at, 1)
    const [next] = this.#deliveries
    return Promise.resolve(due ?? (next ? { waitUntil: next.after } : null))
  }

  deliveryRequeue = (delivery: Delivery): Promise<boolean> => {
    delivery.attempt += 1
    delivery.after = new Date(Date.now() + RETRY_MS)
    this.#deliveries.push(delivery)
    return Promise.resolve(true)
  }

  #find(id: string): Stored | undefined {
    return this.#activities.find(one => one.id === id)
  }

  #inCollection(collection: string): Stored[] {
    return this.#activities.filter(({ _meta }) => has(_meta?.['collection'], collection))
  }

  #copy(stored: Stored | undefined, includeMeta = false): Stored | null {
    if (!stored) return null
    return structuredClone(includeMeta ? stored : withoutMeta(stored))
  }
}

const isStored = (value: unknown): value is Stored => typeof value === 'object' && value !== null && 'id' in value

/** Whether an id is among the values of a property. */
const has = (values: unknown, id: string): boolean =>
  Array.isArray(values) && values.some(value => value === id || (isStored(value) && value.id === id))
