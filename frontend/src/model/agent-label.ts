/** An agent by its name; by its name in code too where another one is called the same. */
export function agentLabels(agents: readonly { slug: string; name: string }[]): (slug: string, name: string) => string {
  const slugs = new Map<string, Set<string>>();
  for (const { slug, name } of agents) slugs.set(name, (slugs.get(name) ?? new Set()).add(slug));
  return (slug, name) => {
    const bearers = slugs.get(name);
    const clashes = bearers !== undefined && (bearers.size > 1 || !bearers.has(slug));
    return clashes ? `${name} · ${slug}` : name;
  };
}
