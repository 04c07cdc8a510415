/** The page of other servers. */
export const INSTANCES_PATH = '/admin/instances'
