/** `place` is that of the person among those of the meeting. */
export const Avatar = ({ name, place }: { name: string; place: number }) => (
  <span className="avatar" aria-hidden="true" data-colour={place % 4}>
    {initialsOf(name)}
  </span>
);

const initialsOf = (name: string) =>
  name
    .split(" ")
    .flatMap(([letter]) => letter ?? [])
    .slice(0, 2)
    .join("");
