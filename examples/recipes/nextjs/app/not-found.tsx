import { Link } from "../components/link";
import { Notice } from "../components/notice";
import { button } from "../components/styles";

export default function NotFound() {
  return (
    <Notice icon="search" title="There is no such page.">
      <Link href="/" className={button.quiet}>
        All meetings
      </Link>
    </Notice>
  );
}
