/** The tenants and their people: your database. Tokens and secrets belong there encrypted. */
export interface Tenant {
  id: string;
  name: string;
  /** The tenant's own account at the service. */
  token: string;
  /** Of its webhook, whose URL is `/api/hooks/<id>`. */
  webhookSecret: string;
}

const ofExample = (id: string, name: string): Tenant => {
  const token = process.env[`TOKEN_${id.toUpperCase()}`] ?? `token-of-${id}`;
  return { id, name, token, webhookSecret: `whsec_${id}` };
};
export const TENANTS = [
  ofExample("acme", "Acme"),
  ofExample("globex", "Globex"),
];

export const tenantWith = (id: string) =>
  TENANTS.find((tenant) => tenant.id === id);

/** In the example, everybody at acme.example works for Acme. */
export const tenantOf = (email: string) =>
  TENANTS.find(({ id }) => email.endsWith(`@${id}.example`));
